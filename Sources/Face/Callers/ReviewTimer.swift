package import Base

/// Schedules how often a door checks whether the callers of its open calls may still make them.
package struct ReviewTimer {
  private var due: MonotonicTime?

  package init() {}

  /// Calls `review` when it is due, and returns when it is due next; nil while no call is open.
  ///
  /// - Parameters:
  ///   - hasCalls: whether calls are open. It is called again after the review, which may end some.
  ///   - review: ends the calls that may not go on.
  package mutating func run(
    at now: MonotonicTime, while hasCalls: () -> Bool, review: () -> Void
  ) -> MonotonicTime? {
    guard hasCalls() else {
      due = nil
      return nil
    }
    let time = due ?? now + Gatekeeper.objectionInterval
    due = time
    guard now >= time else { return time }
    review()
    due = hasCalls() ? now + Gatekeeper.objectionInterval : nil
    return due
  }
}
