import Base
import Synchronization

/// A wall clock that a test sets; deadlines use the real one.
final class MovableClock: Sendable {
  private let offset = Mutex(Duration.zero)

  var clock: Clock {
    Clock(wall: { Clock.system.now + self.offset.withLock { $0 } }, monotonic: { Clock.system.monotonic })
  }

  func move(by duration: Duration) { offset.withLock { $0 += duration } }
}
