package import Base
internal import Synchronization

/// Writes unexpected errors of calls into the log; errors that recur for the same reason are written once a minute,
/// with the number of those left out.
package final class FaultLog: Sendable {
  private let log: Log
  private let clock: Base.Clock
  private let recurring: Mutex<LineBudget<String>>

  package init(_ log: Log, clock: Base.Clock) {
    self.log = log
    self.clock = clock
    recurring = Mutex(LineBudget(burst: 1, interval: .seconds(60), at: clock.monotonic))
  }

  package func note(_ error: any Error, id: String, method: String) {
    guard let reason = (error as? any RecurringFault)?.recurrence else {
      return log.unexpected(error, id: id, ["method": method])
    }
    let now = clock.monotonic
    guard let leftOut = recurring.withLock({ $0.take(reason, at: now) }) else { return }
    let log = leftOut == 0 ? log : log.with(["lines_left_out": leftOut])
    log.unexpected(error, id: id, ["method": method])
  }
}
