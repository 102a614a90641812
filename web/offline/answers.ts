import { type Code, StatusError } from "../../clients/typescript/src/status.js"
import { bytesOf, joined } from "../bytes.js"

/** A call as the client sends it. */
export interface Asked<Request> {
  /** Such as "assent.consent.v1.SessionService/GetSession". */
  readonly method: string
  readonly request: Request
}

/** What calls are answered with here, in place of the server. */
export type Answering = (asked: Asked<Record<string, unknown>>) => Promise<Answer>

/** One message, or a stream of them. */
export type Answer = object | readonly object[]

/** A fetch that asks nobody else: what it throws as a StatusError comes as the server's refusals do. */
export function answering(answer: Answering): typeof fetch {
  return async (input, init) => {
    const method = new URL(String(input), location.href).pathname.slice(1), { body } = init ?? {}
    const isStream = body instanceof Uint8Array
    const text = isStream ? new TextDecoder().decode(body.subarray(5)) : String(body)
    try {
      const found = await answer({ method, request: JSON.parse(text) as Record<string, unknown> })
      return isStream ? streamed(found as readonly object[]) : reply(200, found)
    } catch (problem) {
      const { code, message, details } = problem instanceof StatusError
        ? problem : new StatusError("internal", `broken: ${String(problem)}`)
      const error = { code, message: message.slice(code.length + 2), details }
      return isStream ? streamed([], error) : reply(400, error)
    }
  }
}

export function refusal(code: Code, rule: string): StatusError {
  return new StatusError(code, `${rule}: refused on this device`)
}

function reply(status: number, message: object): Response {
  return new Response(JSON.stringify(message), { status, headers: { "content-type": "application/json" } })
}

function streamed(messages: readonly object[], error?: object): Response {
  const all = [...messages.map((message) => frame(0, message)), frame(2, error ? { error } : {})]
  return new Response(joined(...all), { status: 200, headers: { "content-type": "application/connect+json" } })
}

function frame(flags: number, message: object): Uint8Array {
  const content = bytesOf(JSON.stringify(message)), head = new Uint8Array(5)
  head[0] = flags
  new DataView(head.buffer).setUint32(1, content.length)
  return joined(head, content)
}
