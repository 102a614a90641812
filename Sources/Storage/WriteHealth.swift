internal import Synchronization

/// Whether changes can be made at present, as the last one found it.
final class WriteHealth: Sendable {
  private let problem = Mutex<String?>(nil)

  var current: String? { problem.withLock { $0 } }

  /// Notes how a change came out.
  func note(_ error: (any Error)?) {
    guard let error else { return problem.withLock { $0 = nil } }
    guard let reason = (error as? DatabaseError).flatMap({ Self.reasons[$0.code] }) else { return }
    problem.withLock { $0 = reason }
  }

  /// Our own wording, because the messages of errors name files and statements.
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
