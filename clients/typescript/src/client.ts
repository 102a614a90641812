import { newIdempotencyKey } from "./idempotency-key.js"
import type { ServerStreamingMethod, UnaryMethod } from "./method.js"
import { answeredError, endError, StatusError } from "./status.js"

export interface ClientSettings {
  /** Where the gateway is, such as "https://assent.example". Empty: where the page came from. */
  readonly url: string
  /** An API key or an access token, or what gives one for each call. A page with the session's cookie needs none. */
  readonly key?: string | (() => string | Promise<string>)
  /** Another fetch than the environment's. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** For all attempts together; 30,000 unless given. An attempt has a day at most. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Names the call's effect, in all its attempts. Made up where the method may not be repeated; an empty one forbids
   * repeats. */
  readonly idempotencyKey?: string
}

type Methods = Readonly<Record<string, UnaryMethod<any, any> | ServerStreamingMethod<any, any>>>

/** A service's methods as functions. */
export type ServiceClient<Service extends Methods> = {
  readonly [Name in keyof Service]: Service[Name] extends UnaryMethod<infer Request, infer Answer>
    ? (request: Request, options?: CallOptions) => Promise<Answer>
    : Service[Name] extends ServerStreamingMethod<infer Request, infer Answer>
      ? (request: Request, options?: CallOptions) => AsyncGenerator<Answer, void, undefined>
      : never
}

const attempts = 5
const firstPauseMs = 50
const usualTimeoutMs = 30_000
/** A gateway's own longest deadline. A timer of more than 24 days would ring at once. */
const longestTimeoutMs = 86_400_000
const unaryType = "application/json"
const streamType = "application/connect+json"

/**
 * Calls Assent by the Connect protocol with JSON:
 * `new Client({ url, key }).service(StudyService).getStudy({ studyId })`.
 */
export class Client {
  readonly #settings: ClientSettings

  constructor(settings: ClientSettings) {
    this.#settings = { ...settings, url: settings.url.replace(/\/+$/, "") }
  }

  service<Service extends Methods>(service: Service): ServiceClient<Service> {
    const client: Record<string, unknown> = {}
    for (const [name, method] of Object.entries(service)) {
      client[name] =
        method.kind === "unary"
          ? (request: unknown, options?: CallOptions) => this.#unary(method, request, options ?? {})
          : (request: unknown, options?: CallOptions) => this.#stream(method, request, options ?? {})
    }
    return client as ServiceClient<Service>
  }

  /** Calls, and calls again where that can do no harm and may help, within the deadline and under the same key. */
  async #unary<Request, Answer>(
    method: UnaryMethod<Request, Answer>,
    request: Request,
    options: CallOptions,
  ): Promise<Answer> {
    const deadline = Date.now() + (options.timeoutMs ?? usualTimeoutMs)
    const key = options.idempotencyKey ?? (method.idempotency === "none" ? await newIdempotencyKey() : "")
    const mayRepeat = method.idempotency !== "none" || key !== ""
    const body = JSON.stringify(request)
    let mayHaveRun = false
    let cause: unknown
    for (let attempt = 1; ; attempt += 1) {
      const call = new Bounds(deadline - Date.now(), options.signal)
      try {
        const headers = await this.#headers(unaryType, call, key, options)
        if (attempt > 1) headers.set("grpc-previous-rpc-attempts", String(attempt - 1))
        try {
          const answer = await this.#send(method.path, body, headers, call)
          await checkType(answer, unaryType)
          return (await answer.json()) as Answer
        } catch (problem) {
          const error = call.explained(problem)
          const status = error instanceof StatusError ? error : undefined
          // Where time is over within a repeat, why there was one says more.
          if (cause === undefined || status?.code !== "deadline_exceeded") cause = error
          mayHaveRun ||= !(status?.unreachable ?? false)
          // The gateway has repeated the call by itself.
          if (status?.attemptsLeft !== undefined) attempt = Math.max(attempt, attempts - status.attemptsLeft)
          const pause = attempt < attempts ? pauseAfter(error, mayRepeat, attempt) : undefined
          if (pause === undefined || Date.now() + pause >= deadline) throw mayHaveRun ? mayHaveBegun(cause) : cause
          await waited(pause, options.signal)
        }
      } finally {
        call.end()
      }
    }
  }

  async *#stream<Request, Answer>(
    method: ServerStreamingMethod<Request, Answer>,
    request: Request,
    options: CallOptions,
  ): AsyncGenerator<Answer, void, undefined> {
    const body = framed(JSON.stringify(request))
    const call = new Bounds(options.timeoutMs ?? usualTimeoutMs, options.signal)
    try {
      const headers = await this.#headers(streamType, call, "", options)
      try {
        const answer = await this.#send(method.path, body, headers, call)
        await checkType(answer, streamType)
        if (answer.body === null) throw new StatusError("internal", "the answer has no body")
        for await (const { isEnd, text } of frames(answer.body)) {
          if (!isEnd) {
            yield JSON.parse(text) as Answer
            continue
          }
          const error = endError(text)
          if (error !== undefined) throw error
          return
        }
        throw new StatusError("unavailable", "the stream broke off")
      } catch (problem) {
        throw call.explained(problem)
      }
    } finally {
      // Also when the reader stops early: the connection ends, and with it the handler.
      call.abort()
      call.end()
    }
  }

  /** What goes ahead of a request. What is wrong with it is the calling program's fault, and reaches it as it is. */
  async #headers(contentType: string, call: Bounds, idempotencyKey: string, options: CallOptions): Promise<Headers> {
    const { key } = this.#settings
    const headers = new Headers(options.headers)
    headers.set("content-type", contentType)
    headers.set("connect-protocol-version", "1")
    headers.set("connect-timeout-ms", String(call.remainingMs))
    const credential = typeof key === "function" ? await call.bounded(key) : key
    if (credential) headers.set("authorization", `Bearer ${credential}`)
    if (idempotencyKey) headers.set("idempotency-key", idempotencyKey)
    return headers
  }

  async #send(path: string, body: string | Uint8Array, headers: Headers, call: Bounds): Promise<Response> {
    const { url } = this.#settings
    const send = this.#settings.fetch ?? fetch
    call.check()
    try {
      // What follows a redirect takes the request, with the answers and signatures in it, to another host.
      return await send(`${url}/${path}`, { method: "POST", headers, body, signal: call.signal, redirect: "manual" })
    } catch (problem) {
      if (call.signal.aborted) throw problem
      const cause = problem instanceof Error && problem.cause instanceof Error ? problem.cause : problem
      const code = (cause as { code?: unknown }).code
      const unreachable = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EHOSTUNREACH"
      throw new StatusError("unavailable", `the gateway at ${url} was not reached: ${String(cause)}`, { unreachable })
    }
  }
}

/** Throws what an answer tells of that is none. A proxy's page comes with 200 as well. */
async function checkType(answer: Response, wanted: string): Promise<void> {
  // Browsers show a page's program no more of a redirect than that it is one.
  if (answer.type === "opaqueredirect" || (answer.status >= 300 && answer.status < 400)) {
    await answer.body?.cancel()
    throw new StatusError("unknown", "the answer is a redirect, which no gateway sends and which is not followed")
  }
  if (answer.status !== 200) throw await answeredError(answer)
  const found = answer.headers.get("content-type") ?? ""
  if ((found.split(";")[0] ?? "").trim().toLowerCase() === wanted) return
  throw new StatusError("unknown", `the answer is '${found.slice(0, 80)}' and not '${wanted}': no gateway wrote it`)
}

/** The error of an attempt that has not begun, as that of a call of which another attempt may have run. */
function mayHaveBegun(error: unknown): unknown {
  if (!(error instanceof StatusError) || !error.unreachable) return error
  return new StatusError(error.code, error.message.slice(error.code.length + 2))
}

/** How long to wait before another attempt; undefined when there is to be none. */
function pauseAfter(error: unknown, mayRepeat: boolean, attempt: number): number | undefined {
  if (!(error instanceof StatusError)) return undefined
  // A gateway also ends calls that have begun with resource_exhausted. Without a hint, waiting does not help then.
  if (error.code === "resource_exhausted") return mayRepeat ? error.retryAfterMs : undefined
  if (error.code !== "unavailable" || !(mayRepeat || error.unreachable)) return undefined
  return error.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

async function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const given = () => {
      clearTimeout(timer)
      reject(new StatusError("canceled", "the caller has given the call up"))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", given)
      resolve()
    }, milliseconds)
    if (signal?.aborted) given()
    else signal?.addEventListener("abort", given, { once: true })
  })
}

/** What ends an attempt: its deadline, or the caller. */
class Bounds {
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #caller: AbortSignal | undefined
  readonly #onAbort = () => this.#controller.abort()
  readonly remainingMs: number
  #isLate = false

  constructor(remainingMs: number, caller: AbortSignal | undefined) {
    this.remainingMs = Math.max(1, Math.floor(Math.min(remainingMs, longestTimeoutMs)))
    this.#caller = caller
    this.#timer = setTimeout(() => {
      this.#isLate = true
      this.#controller.abort()
    }, this.remainingMs)
    if (caller?.aborted) this.abort()
    else caller?.addEventListener("abort", this.#onAbort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(): void {
    this.#controller.abort()
  }

  check(): void {
    if (this.signal.aborted) throw new StatusError("canceled", "the caller has given the call up")
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener("abort", this.#onAbort)
  }

  /** What a function gives, unless the call ends before. What the function throws is thrown as it is. */
  async bounded(give: () => string | Promise<string>): Promise<string> {
    if (this.signal.aborted) throw this.explained(undefined)
    let onAbort = () => {}
    const ended = new Promise<never>((_, reject) => {
      onAbort = () => reject(this.explained(undefined))
      this.signal.addEventListener("abort", onAbort, { once: true })
    })
    try {
      return await Promise.race([give(), ended])
    } finally {
      this.signal.removeEventListener("abort", onAbort)
    }
  }

  /** The problem as a caller is to see it. */
  explained(problem: unknown): unknown {
    if (this.#isLate) return new StatusError("deadline_exceeded", "the answer did not come in time")
    if (this.#caller?.aborted) return new StatusError("canceled", "the caller has given the call up")
    if (problem instanceof StatusError) return problem
    if (problem instanceof SyntaxError) return new StatusError("internal", `the answer is malformed: ${problem.message}`)
    return new StatusError("unavailable", `the connection to the gateway broke: ${String(problem)}`)
  }
}

// Connect's frames: a byte of flags, four of length, then the message.

const endFlag = 2
const largestFrame = 64 << 20

function framed(text: string): Uint8Array {
  const message = new TextEncoder().encode(text)
  const frame = new Uint8Array(5 + message.length)
  new DataView(frame.buffer).setUint32(1, message.length)
  frame.set(message, 5)
  return frame
}

/** The bytes of a body, in pieces of the size that is asked for. Each byte is copied once, however small the chunks. */
class Bytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #waiting = new Uint8Array(0)

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
  }

  /** The next bytes; undefined when the body ends before they are complete. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count)
    let filled = 0
    for (;;) {
      const part = this.#waiting.subarray(0, count - filled)
      taken.set(part, filled)
      filled += part.length
      this.#waiting = this.#waiting.subarray(part.length)
      if (filled === count) return taken
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#waiting = value
    }
  }
}

async function* frames(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ isEnd: boolean; text: string }, void, undefined> {
  const reader = body.getReader()
  const bytes = new Bytes(reader)
  try {
    for (;;) {
      const head = await bytes.take(5)
      if (head === undefined) return
      const length = new DataView(head.buffer).getUint32(1)
      if (length > largestFrame) {
        throw new StatusError("internal", `a frame of ${length} bytes is more than ${largestFrame}`)
      }
      const message = await bytes.take(length)
      if (message === undefined) return
      yield { isEnd: ((head[0] ?? 0) & endFlag) !== 0, text: new TextDecoder().decode(message) }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
