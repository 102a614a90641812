/** gRPC's codes, as Connect writes them. */
export type Code =
  | "canceled"
  | "unknown"
  | "invalid_argument"
  | "deadline_exceeded"
  | "not_found"
  | "already_exists"
  | "permission_denied"
  | "resource_exhausted"
  | "failed_precondition"
  | "aborted"
  | "out_of_range"
  | "unimplemented"
  | "internal"
  | "unavailable"
  | "data_loss"
  | "unauthenticated"

/** A message that came with an error: its type's name, and its bytes in base64. */
export interface ErrorDetail {
  readonly type: string
  readonly value: string
}

/** A call that failed. */
export class StatusError extends Error {
  readonly code: Code
  /** What came with it, such as an assent.common.v1.ErrorInfo. */
  readonly details: readonly ErrorDetail[]
  /** How many milliseconds the other side asks to wait before another attempt; undefined when it does not. */
  readonly retryAfterMs: number | undefined
  /** True: no gateway was reached, so nothing has begun. */
  readonly unreachable: boolean

  constructor(
    code: Code,
    message: string,
    more: { details?: readonly ErrorDetail[]; retryAfterMs?: number | undefined; unreachable?: boolean } = {},
  ) {
    super(`${code}: ${message}`)
    this.name = "StatusError"
    this.code = code
    this.details = more.details ?? []
    this.retryAfterMs = more.retryAfterMs
    this.unreachable = more.unreachable ?? false
  }

  /** The stable name of the rule that refused the call: every message of Assent begins with it. Empty without one. */
  get rule(): string {
    const found = /^[a-z_]+: ([a-z][a-z0-9_]*): /.exec(this.message)
    return found?.[1] ?? ""
  }
}

const byStatus: Record<number, Code> = {
  400: "internal",
  401: "unauthenticated",
  403: "permission_denied",
  404: "unimplemented",
  429: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
}

interface ConnectError {
  code?: Code
  message?: string
  details?: ErrorDetail[]
}

/** The error that the end of a stream, or the body of an answer, tells of. */
export function connectError(told: ConnectError, retryAfterMs?: number): StatusError {
  return new StatusError(told.code ?? "unknown", told.message ?? "", { details: told.details ?? [], retryAfterMs })
}

/** The error of an answer whose status is not 200. */
export async function answeredError(answer: Response): Promise<StatusError> {
  const text = await answer.text()
  const retryAfterMs = waitOf(answer.headers)
  try {
    const told = JSON.parse(text) as ConnectError
    if (typeof told === "object" && told !== null && typeof told.code === "string") return connectError(told, retryAfterMs)
  } catch {
    // No gateway wrote it: a proxy did.
  }
  return new StatusError(byStatus[answer.status] ?? "unknown", `the answer is HTTP ${answer.status}`, { retryAfterMs })
}

function waitOf(headers: Headers): number | undefined {
  const exact = headers.get("retry-after-ms") ?? headers.get("trailer-retry-after-ms")
  if (exact !== null && /^[0-9]+$/.test(exact)) return Number(exact)
  const seconds = headers.get("retry-after")
  return seconds !== null && /^[0-9]+$/.test(seconds) ? Number(seconds) * 1000 : undefined
}
