/** What a method promises about being called again. */
export type Idempotency = "none" | "no_side_effects" | "idempotent"

/** A method with one answer. The types of its request and its answer are only known to the compiler. */
export interface UnaryMethod<Request, Answer> {
  readonly kind: "unary"
  /** Such as "assent.consent.v1.StudyService/GetStudy". */
  readonly path: string
  readonly idempotency: Idempotency
  readonly types?: (request: Request) => Answer
}

/** A method with a stream of answers. */
export interface ServerStreamingMethod<Request, Answer> {
  readonly kind: "server_streaming"
  readonly path: string
  readonly idempotency: Idempotency
  readonly types?: (request: Request) => Answer
}

// Bundlers leave out services that nobody uses.
/* @__NO_SIDE_EFFECTS__ */
export function unary<Request, Answer>(path: string, idempotency: Idempotency): UnaryMethod<Request, Answer> {
  return { kind: "unary", path, idempotency }
}

/* @__NO_SIDE_EFFECTS__ */
export function serverStreaming<Request, Answer>(
  path: string,
  idempotency: Idempotency,
): ServerStreamingMethod<Request, Answer> {
  return { kind: "server_streaming", path, idempotency }
}
