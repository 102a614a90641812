internal import Base

/// How long to wait before a program that ended is started again: longer each time, until it has stayed up for a while.
package struct RestartPolicy: Sendable {
  package var first = Duration.milliseconds(200)
  package var longest = Duration.seconds(10)
  /// After a run of this length the wait begins at its shortest again.
  package var provenAfter = Duration.seconds(30)
  private var next: Duration?

  package init() {}

  /// The wait after a run of `uptime`. `chance` (0…1) varies it by a fifth, so that programs that ended together do not
  /// start together.
  package mutating func delay(afterUptime uptime: Duration, chance: Double) -> Duration {
    if uptime >= provenAfter { next = nil }
    let base = next ?? first
    next = min(longest, base * 2)
    return .milliseconds(Int64((Double(base.wholeMilliseconds) * (0.8 + 0.4 * chance)).rounded()))
  }
}
