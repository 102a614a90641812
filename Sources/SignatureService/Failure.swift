internal import Bus
internal import Ink
internal import Storage
internal import Typesetting

/// What callers get to know of errors that are not theirs: a code to act on, and words without anybody's data.
enum Failure {
  /// Does `work` and turns what goes wrong in it into a status, where it can be said in the caller's terms.
  static func explained<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as InkError {
      throw status(of: error)
    } catch let error as TypesettingError {
      throw status(of: error)
    } catch let error as DatabaseError {
      throw status(of: error)
    }
  }

  static func status(of error: InkError) -> Status {
    Status(.invalidArgument, "\(settings[error.path] ?? error.path) \(error.finding); \(error.requirement)")
  }

  static func status(of error: TypesettingError) -> Status {
    switch error.reason {
    case .unknownLetter, .invisible: Status(.invalidArgument, "typed.\(error)")
    case .fontMissing: Status(.failedPrecondition, error.description)
    }
  }

  static func status(of error: DatabaseError) -> Status {
    switch error.code {
    case .timedOut: Status(.deadlineExceeded, "the database did not answer in time; nothing was changed")
    case .outcomeUnknown: Status(.unavailable, "the connection to the database broke; it is not known what was changed")
    case .badCursor: Status(.invalidArgument, "page_token is none of this list's")
    case .keyReused: Status(.invalidArgument, error.message)
    case .erased, .held: Status(.failedPrecondition, error.message)
    case .diskFull: Status(.resourceExhausted, "the database's disk is full; nothing was changed")
    case .closed, .unavailable, .connectionLost, .serializationFailure, .readOnly, .refused:
      Status(.unavailable, "the database cannot be used now; nothing was changed")
    default: Status(.internal, "the database failed [\(error.code.rawValue)]")
    }
  }

  /// Ink's names of what a caller sets, as the contract spells them.
  private static let settings = [
    "options.penWidth": "settings.pen_width",
    "options.frame.margin": "settings.trim_margin",
    "options.dotsPerInch": "settings.dots_per_inch",
    "options.size.scale": "settings.scale",
    "options.size.width": "settings.width",
    "options.size.height": "settings.height",
  ]
}
