internal import Base
public import RPC
public import Refusals
public import Storage
public import Wire

// The status that the bus sends when a handler throws one of these errors. Handlers need not catch them.

extension Refusal: StatusConvertible {
  public var status: Status {
    let isNamed = field.isEmpty || message.contains(field)
    let metadata: Metadata =
      if let retryAfter { ["retry-after-ms": String(max(1, retryAfter.wholeMilliseconds))] } else { [:] }
    return Status(
      code, rule: rule, field: field, isNamed ? message : "\(field): \(message)",
      details: details.map { Status.Detail($0) }, metadata: metadata)
  }

  private var code: StatusCode {
    switch kind {
    case .invalid: .invalidArgument
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    case .precondition: .failedPrecondition
    case .aborted: .aborted
    case .denied: .permissionDenied
    case .unauthenticated: .unauthenticated
    case .exhausted: .resourceExhausted
    }
  }
}

extension DatabaseError: StatusConvertible {
  public var status: Status {
    let outcome = DatabaseOutcome.of(code)
    return Status(outcome.status, rule: outcome.rule, field: outcome.field, outcome.words ?? message)
  }

  public var isFault: Bool { DatabaseOutcome.of(code).isFault }
}

/// A request that cannot be decoded is refused before its handler runs. So a handler that throws this error has read a
/// stored message that is damaged.
extension CodecError: StatusConvertible {
  public var status: Status {
    Status(.dataLoss, rule: "data_corrupt", "a stored message cannot be read")
  }

  public var isFault: Bool { true }
}
