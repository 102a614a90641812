// What the client makes of faults, its caller's and the other side's, without a gateway. It throws at the first thing
// that is not as it should be.

import { Client, StatusError } from "../src/index.js"
import { InteropService } from "../src/contract/interop_v1.js"

declare const console: { log(text: string): void }

const url = "http://gateway.invalid"

function wanted(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`not as it should be: ${what}`)
}

async function failure(call: Promise<unknown>): Promise<StatusError> {
  try {
    await call
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error("the call should have failed")
}

// A call has one budget of attempts, those that the gateway has made included.
let losses = 0
const fatal: typeof fetch = async () => {
  losses += 1
  const headers = { "trailer-lost-instances": "5", "trailer-attempts-left": "0" }
  return new Response(JSON.stringify({ code: "unavailable", message: "lost" }), { status: 503, headers })
}
const lost = await failure(new Client({ url, fetch: fatal }).service(InteropService).unaryCall({}))
wanted(lost.lostInstances === 5 && losses === 1, `a call that instances were lost with: ${losses} attempts`)

for (const [left, made] of [["1", "-,4"], ["3", "-,2,3,4"], ["4", "-,1,2,3,4"]] as const) {
  const told: string[] = []
  const failing: typeof fetch = async (_, init) => {
    told.push(new Headers(init?.headers).get("grpc-previous-rpc-attempts") ?? "-")
    const headers = { "retry-after-ms": "1", ...(told.length === 1 ? { "trailer-attempts-left": left } : {}) }
    return new Response(JSON.stringify({ code: "unavailable", message: "busy" }), { status: 503, headers })
  }
  await failure(new Client({ url, fetch: failing }).service(InteropService).unaryCall({}))
  wanted(told.join() === made, `attempts with ${left} left: ${told.join()}`)
}

// Where time is over within a repeat, the error says why there was one.
let tries = 0
const slow: typeof fetch = async (_, init) => {
  tries += 1
  if (tries === 1) {
    const headers = { "retry-after-ms": "1" }
    return new Response(JSON.stringify({ code: "unavailable", message: "busy" }), { status: 503, headers })
  }
  return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
}
const why = await failure(new Client({ url, fetch: slow }).service(InteropService).unaryCall({}, { timeoutMs: 300 }))
wanted(why.code === "unavailable" && why.message === "unavailable: busy" && tries === 2, `the cause: ${why.message}`)

// A call that was sent before its gateway went away may have run. One whose gateway never was there has not begun.
for (const wasThere of [true, false]) {
  let sent = 0
  const leaving: typeof fetch = async () => {
    sent += 1
    if (wasThere && sent === 1) throw new TypeError("the connection broke")
    const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
    throw new TypeError("fetch failed", { cause })
  }
  const gone = await failure(new Client({ url, fetch: leaving }).service(InteropService).unaryCall({}))
  wanted(gone.code === "unavailable" && sent === 5, `a gateway that goes away: ${gone.message}, ${sent} attempts`)
  wanted(gone.unreachable === !wasThere, `a gateway that ${wasThere ? "went away" : "never was there"}: unreachable`)
}

// The end of a stream says how long to wait.
const ended: typeof fetch = async () => {
  const text = JSON.stringify({ error: { code: "resource_exhausted" }, metadata: { "retry-after-ms": ["70"] } })
  const end = new Uint8Array([2, 0, 0, 0, text.length, ...new TextEncoder().encode(text)])
  return new Response(end, { headers: { "content-type": "application/connect+json" } })
}
const busy = await failure(
  new Client({ url, fetch: ended }).service(InteropService).streamingOutputCall({}).next(),
)
wanted(busy.code === "resource_exhausted" && busy.retryAfterMs === 70, `the wait after a stream: ${busy.retryAfterMs}`)

// What the caller's own functions and values do wrong reaches the caller as it is, and is not tried again.
async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(() => undefined, (problem: unknown) => problem)
}
let asked = 0
const signedOut = new Error("signed out")
const withKey = new Client({
  url,
  key: () => {
    asked += 1
    throw signedOut
  },
  fetch: fatal,
})
wanted((await thrown(withKey.service(InteropService).unaryCall({}))) === signedOut && asked === 1, "a key that throws")

// A key that does not come is waited for no longer than the call may take, or is wanted.
const keyless = new Client({ url, key: () => new Promise<string>(() => {}), fetch: fatal }).service(InteropService)
losses = 0
const late = await failure(keyless.unaryCall({}, { timeoutMs: 50 }))
wanted(late.code === "deadline_exceeded", `a key that does not come: ${late.code}`)
const lateStream = await failure(keyless.streamingOutputCall({}, { timeoutMs: 50 }).next())
wanted(lateStream.code === "deadline_exceeded", `the key of a stream that does not come: ${lateStream.code}`)
const givingUp = new AbortController()
setTimeout(() => givingUp.abort(), 50)
const givenUp = await failure(keyless.unaryCall({}, { signal: givingUp.signal }))
wanted(givenUp.code === "canceled" && losses === 0, `a key that nobody waits for: ${givenUp.code}`)

losses = 0
const interop = new Client({ url, fetch: fatal }).service(InteropService)
const ownFaults = [
  await thrown(interop.unaryCall({}, { headers: { "x-a": "a\nb" } })),
  await thrown(interop.unaryCall({ responseSize: 1n as never })),
  await thrown(interop.streamingOutputCall({}, { headers: { "x-a": "a\nb" } }).next()),
]
wanted(ownFaults.every((fault) => fault instanceof TypeError) && losses === 0, "values that cannot be sent")

// A page that is no gateway's answer is none, though it comes with 200; neither is one that cannot be read.
for (const [type, text, code] of [["text/html", "<html>", "unknown"], ["application/json", "{", "internal"]] as const) {
  const page: typeof fetch = async () => new Response(text, { headers: { "content-type": type } })
  const error = await failure(new Client({ url, fetch: page }).service(InteropService).unaryCall({}))
  wanted(error.code === code, `an answer of ${type}: ${error.message}`)
}

// A redirect leads no request to another host. Node's types are not here; so what it imports is not checked.
const http = await import(String("node:http"))
let strays = 0
const served = async (answer: (response: any) => void) => {
  const server = http.createServer((request: any, response: any) => {
    request.resume()
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, url: `http://127.0.0.1:${server.address().port}` }
}
const elsewhere = await served((response) => {
  strays += 1
  response.writeHead(200, { "content-type": "application/json" }).end("{}")
})
for (const status of [302, 307, 308]) {
  let sent = 0
  const moved = await served((response) => {
    sent += 1
    response.writeHead(status, { location: `${elsewhere.url}/` }).end()
  })
  const service = new Client({ url: moved.url, key: "secret" }).service(InteropService)
  for (const call of [() => service.unaryCall({}), () => service.streamingOutputCall({}).next()]) {
    const error = await failure(call())
    wanted(error.code === "unknown" && !error.unreachable, `an answer with ${status}: ${error.message}`)
    wanted(error.message.includes("redirect"), `an answer with ${status}: ${error.message}`)
  }
  wanted(sent === 2 && strays === 0, `requests behind ${status}: ${sent} sent, ${strays} led elsewhere`)
  moved.server.close()
  moved.server.closeAllConnections()
}
elsewhere.server.close()

// A deadline may be as far away as the program likes.
const quick: typeof fetch = async (_, init) => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  wanted(new Headers(init?.headers).get("connect-timeout-ms") === "86400000", "the longest deadline")
  return new Response("{}", { headers: { "content-type": "application/json" } })
}
await new Client({ url, fetch: quick }).service(InteropService).unaryCall({}, { timeoutMs: Infinity })

// A large message in small chunks takes time in proportion to its size.
const size = 40_000_000
const large: typeof fetch = async () => {
  const text = new TextEncoder().encode(JSON.stringify({ payload: { body: "A".repeat(size) } }))
  const head = new Uint8Array(5)
  new DataView(head.buffer).setUint32(1, text.length)
  let place = -1
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const end = place + 4096
      controller.enqueue(place < 0 ? head : text.subarray(place, end))
      if (end >= text.length) controller.close()
      place = place < 0 ? 0 : end
    },
  })
  return new Response(body, { headers: { "content-type": "application/connect+json" } })
}
const began = Date.now()
const whole = new Client({ url, fetch: large }).service(InteropService).streamingOutputCall({})
const part = (await whole.next()).value
wanted(part instanceof Object && part.payload?.body?.length === size, "a large message of a stream")
// A second or a few, however busy the machine is. Copied anew with each chunk, it would take minutes.
wanted(Date.now() - began < 30_000, `a large message takes ${Date.now() - began} ms`)
await whole.return()

console.log("all faults are as they should be")
