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

/** A message that came with an error: its type's name, its bytes in base64, and as gateways show it in JSON. */
export interface ErrorDetail {
  readonly type: string
  readonly value: string
  readonly debug?: unknown
}

/** A call that failed. */
export class StatusError extends Error {
  readonly code: Code
  /** What came with it, such as an assent.common.v1.ErrorInfo. */
  readonly details: readonly ErrorDetail[]
  /** How many milliseconds the other side asks to wait before another attempt; undefined when it does not. */
  readonly retryAfterMs: number | undefined
  /** How many instances of the service were lost while they had the call: it may be what ended them. */
  readonly lostInstances: number
  /** How many of the five attempts of a call are left that a service has had; undefined where no gateway says so. Only
   * gateways repeat what a service has answered, so it is 0 then. */
  readonly attemptsLeft: number | undefined
  /** True: no gateway was reached, in any attempt of the call, so nothing has begun. */
  readonly unreachable: boolean

  constructor(
    code: Code,
    message: string,
    more: {
      details?: readonly ErrorDetail[]
      retryAfterMs?: number | undefined
      lostInstances?: number
      attemptsLeft?: number | undefined
      unreachable?: boolean
    } = {},
  ) {
    super(`${code}: ${message}`)
    this.name = "StatusError"
    this.code = code
    this.details = more.details ?? []
    this.retryAfterMs = more.retryAfterMs
    this.lostInstances = more.lostInstances ?? 0
    this.attemptsLeft = more.attemptsLeft
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

/** What metadata says of an error, besides its code and its message. */
interface Hints {
  retryAfterMs: number | undefined
  lostInstances: number
  attemptsLeft: number | undefined
}

/** The error that the end of a stream, or the body of an answer, tells of. */
function connectError(told: ConnectError, hints: Hints): StatusError {
  return new StatusError(told.code ?? "unknown", told.message ?? "", { details: told.details ?? [], ...hints })
}

/** The error that the end of a stream tells of; undefined when it tells of none. */
export function endError(text: string): StatusError | undefined {
  const end = JSON.parse(text || "{}") as { error?: ConnectError; metadata?: Record<string, string[]> }
  return end.error && connectError(end.error, hintsOf((name) => end.metadata?.[name]?.[0]))
}

/** The error of an answer whose status is not 200. */
export async function answeredError(answer: Response): Promise<StatusError> {
  const text = await answer.text()
  const { headers } = answer
  const hints = hintsOf((name) => headers.get(`trailer-${name}`) ?? headers.get(name) ?? undefined)
  try {
    const told = JSON.parse(text) as ConnectError
    if (typeof told === "object" && told !== null && typeof told.code === "string") return connectError(told, hints)
  } catch {
    // No gateway wrote it: a proxy did.
  }
  return new StatusError(byStatus[answer.status] ?? "unknown", `the answer is HTTP ${answer.status}`, hints)
}

function hintsOf(metadata: (name: string) => string | undefined): Hints {
  const number = (name: string) => {
    const text = metadata(name)
    return text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined
  }
  const seconds = number("retry-after")
  return {
    retryAfterMs: number("retry-after-ms") ?? (seconds === undefined ? undefined : seconds * 1000),
    lostInstances: number("lost-instances") ?? 0,
    attemptsLeft: number("attempts-left"),
  }
}
