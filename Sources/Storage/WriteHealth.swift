internal import Synchronization

/// Remembers whether changes can be made at present, according to the last one.
final class WriteHealth: Sendable {
  private let problem = Mutex<String?>(nil)

  var current: String? { problem.withLock { $0 } }

  /// Notes the outcome of a change: its error, or nil if it succeeded. Errors that say nothing about the database as a
  /// whole are ignored.
  func note(_ error: (any Error)?) {
    guard let error else { return problem.withLock { $0 = nil } }
    guard let reason = (error as? DatabaseError).flatMap({ Self.reasons[$0.code] }) else { return }
    problem.withLock { $0 = reason }
  }

  /// Texts without details, since the messages of errors name files and statements.
  private static let reasons: [DatabaseError.Code: String] = [
    .diskFull: "cannot be written: the disk is full",
    .readOnly: "cannot be written: it is read-only",
    .inputOutput: "cannot be written: its disk fails",
    .unavailable: "cannot be reached",
    .connectionLost: "cannot be reached",
    .timedOut: "did not take a change in time",
    .outcomeUnknown: "failed while a change was committed",
  ]
}
