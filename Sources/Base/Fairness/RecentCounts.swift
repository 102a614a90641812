/// Counts what each holder did lately: within a window, and up to one window before. A pure state machine.
package struct RecentCounts: Sendable {
  private let window: Duration
  private let mostHolders: Int
  private var present: [String: Int] = [:]
  private var former: [String: Int] = [:]
  /// When the present window ends.
  private var end: MonotonicTime

  /// - Parameter mostHolders: with so many holders, a window ends early.
  package init(within window: Duration, mostHolders: Int = 10_000, at now: MonotonicTime) {
    self.window = window
    self.mostHolders = mostHolders
    end = now + window
  }

  /// How many holders it remembers.
  package var holders: Int { present.count + former.count }

  package mutating func count(of holder: String, at now: MonotonicTime) -> Int {
    advance(to: now)
    return present[holder, default: 0] + former[holder, default: 0]
  }

  package mutating func add(_ holder: String, at now: MonotonicTime) {
    advance(to: now)
    present[holder, default: 0] += 1
  }

  private mutating func advance(to now: MonotonicTime) {
    guard now >= end || present.count >= mostHolders else { return }
    former = now >= end + window ? [:] : present
    present = [:]
    end = now + window
  }
}
