package import Base
package import Sealing
internal import ServicePolicy

/// Verifies files that somebody handed in, each within the time that one document may take.
package struct PaperChecker: Sendable {
  private let verifier: DocumentVerifier
  private let patience: Duration

  package init(verifier: DocumentVerifier, patience: Duration) {
    (self.verifier, self.patience) = (verifier, patience)
  }

  /// - Parameter deadline: the deadline of the call.
  package func check(_ content: [UInt8], until deadline: MonotonicTime, _ clock: Clock) throws -> DocumentReport {
    let end = min(clock.monotonic + patience, deadline)
    let report = verifier.verify(content) { Task.isCancelled || clock.monotonic >= end }
    guard !report.isExhausted else {
      throw Refusal(
        .invalid, "too_much_to_check", field: "content",
        "content cannot be checked: \(report.faults.map(\.words).joined())")
    }
    return report
  }
}
