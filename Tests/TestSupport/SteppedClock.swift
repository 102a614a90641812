package import Base
internal import Synchronization

/// A clock that stands still between the steps of a test.
package final class SteppedClock: Sendable {
  private let time = Mutex(Clock.system.monotonic)

  package init() {}

  package var clock: Clock { Clock(wall: { Clock.system.now }, monotonic: { [self] in time.withLock { $0 } }) }

  package func advance(by span: Duration) { time.withLock { $0 = $0 + span } }
}
