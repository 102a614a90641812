internal import Bus
internal import ConsentContract
internal import Storage
internal import Wire

/// The statuses that callers get for refusals and for errors of the database.
enum Failure {
  static func status(_ error: any Error) -> any Error {
    switch error {
    case let refusal as Refusal: status(refusal)
    case let error as DatabaseError: status(error)
    case let error as CodecError: Status(.dataLoss, "what is stored cannot be read: \(error)")
    default: error
    }
  }

  private static func status(_ refusal: Refusal) -> Status {
    let code: StatusCode =
      switch refusal.kind {
      case .invalid: .invalidArgument
      case .notFound: .notFound
      case .alreadyExists: .alreadyExists
      case .precondition: .failedPrecondition
      case .aborted: .aborted
      case .denied: .permissionDenied
      case .exhausted: .resourceExhausted
      }
    let isNamed = refusal.field.isEmpty || refusal.message.contains(refusal.field)
    let story = isNamed ? refusal.message : "\(refusal.field): \(refusal.message)"
    let problem = Problem(severity: .error, field: refusal.field, rule: refusal.rule, message: story)
    return Status(code, "\(refusal.rule): \(story)", details: [Status.Detail(problem)])
  }

  private static func status(_ error: DatabaseError) -> Status {
    switch error.code {
    case .keyReused: Status(.invalidArgument, "key_reused: \(error.message)")
    case .badCursor: Status(.invalidArgument, "bad_page_token: page_token is none that this list gave out")
    case .erased: Status(.failedPrecondition, "subject_erased: the data of this subject were erased")
    case .held: Status(.failedPrecondition, "legal_hold: \(error.message)")
    case .timedOut: Status(.deadlineExceeded, error.message)
    case .unavailable, .connectionLost, .closed, .outcomeUnknown, .serializationFailure:
      Status(.unavailable, error.message)
    case .diskFull, .readOnly, .inputOutput: Status(.unavailable, error.message)
    default: Status(.internal, "the database refused: \(error.code.rawValue)")
    }
  }
}
