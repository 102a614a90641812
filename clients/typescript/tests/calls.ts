// Calls against a real gateway, run by Node: `calls.js URL KEY`. It throws at the first thing that is not as it
// should be.

import { Client, StatusError } from "../src/index.js"
import { Health } from "../src/contract/grpc_health_v1.js"
import { InteropService } from "../src/contract/interop_v1.js"
import type { UnaryCallResponse } from "../src/contract/interop_v1.js"

declare const process: { readonly argv: readonly string[] }
declare const console: { log(text: string): void }

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

const [url = "", key = ""] = process.argv.slice(2)
const client = new Client({ url, key })
const interop = client.service(InteropService)

wanted((await new Client({ url }).service(Health).check({})).status === "SERVING", "a public method without a key")

const answer: UnaryCallResponse = await interop.unaryCall({ responseSize: 3 })
wanted(answer.payload?.body === "AAAA", "a unary call")

const sizes: number[] = []
for await (const part of interop.streamingOutputCall({
  responseParameters: [{ size: 1 }, { size: 100_000 }, { size: 7 }],
})) {
  sizes.push(atob(part.payload?.body ?? "").length)
}
wanted(sizes.join() === "1,100000,7", `a stream of answers: ${sizes.join()}`)

// A reader that stops early ends the stream.
for await (const part of interop.streamingOutputCall({
  responseParameters: [{ size: 1 }, { size: 1, intervalUs: 60_000_000 }],
})) {
  wanted(part.payload !== undefined, "the first part")
  break
}

const refused = await failure(interop.unaryCall({ responseStatus: { code: 5, message: "no_such_thing: not here" } }))
wanted(refused.code === "not_found" && refused.rule === "no_such_thing", `an error: ${refused.message}`)

const late = await failure(interop.unaryCall({ sleepMs: 60_000 }, { timeoutMs: 200 }))
wanted(late.code === "deadline_exceeded", `a deadline: ${late.message}`)

const controller = new AbortController()
setTimeout(() => controller.abort(), 100)
const aborted = await failure(interop.unaryCall({ sleepMs: 60_000 }, { signal: controller.signal }))
wanted(aborted.code === "canceled", `a call that was given up: ${aborted.message}`)

const unknown = await failure(new Client({ url, key: "ak_00000000_wrong" }).service(InteropService).unaryCall({}))
wanted(unknown.code === "unauthenticated", `a wrong key: ${unknown.message}`)

const nobody = await failure(
  new Client({ url: "http://127.0.0.1:49", key }).service(InteropService).unaryCall({}, { timeoutMs: 400 }),
)
wanted(nobody.code === "unavailable" && nobody.unreachable, `no gateway: ${nobody.message}`)

// Attempts: two of them fail; the third arrives, under the key of the first.
for (const [code, status] of [["unavailable", 503], ["resource_exhausted", 429]] as const) {
  const keys: (string | null)[] = []
  const lossy: typeof fetch = async (address, init) => {
    keys.push(new Headers(init?.headers).get("idempotency-key"))
    if (keys.length < 3) {
      return new Response(JSON.stringify({ code, message: "lost" }), { status, headers: { "retry-after-ms": "10" } })
    }
    return fetch(address, init)
  }
  const again = await new Client({ url, key, fetch: lossy }).service(InteropService).unaryCall({ responseSize: 3 })
  wanted(again.payload?.body === "AAAA" && keys.length === 3, `a third attempt after ${code}`)
  wanted(keys[0] !== null && keys[0] !== "" && new Set(keys).size === 1, "one key in all attempts")

  keys.length = 0
  const never = await failure(
    new Client({ url, key, fetch: lossy }).service(InteropService).unaryCall({}, { idempotencyKey: "" }),
  )
  wanted(never.code === code && keys.length === 1, "no second attempt without a key")
}

console.log("all calls are as they should be")
