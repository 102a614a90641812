package import Base
internal import Synchronization

/// A wall clock that a test moves. Deadlines use the real one.
package final class MovableClock: Sendable {
  private let start: Instant?
  private let moved = Mutex(Duration.zero)

  /// - Parameter start: where the clock stands until it is moved; nil: it runs with the system's.
  package init(at start: Instant? = nil) {
    self.start = start
  }

  package var clock: Clock {
    Clock(
      wall: { [self] in (start ?? Clock.system.now) + moved.withLock { $0 } },
      monotonic: { Clock.system.monotonic })
  }

  package func move(by time: Duration) { moved.withLock { $0 += time } }
}
