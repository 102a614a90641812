import Base
import Sealing
import Synchronization

/// A time-stamping authority that is down when a test wants it to be.
final class MoodyStamper: TimeStamper {
  private let authority: OwnTimeStamper
  private let down = Mutex(false)

  struct Down: Error {}

  init(_ key: SealKey) {
    authority = OwnTimeStamper(key) { Clock.system.now }
  }

  var isDown: Bool {
    get { down.withLock { $0 } }
    set { down.withLock { $0 = newValue } }
  }

  func answer(to request: [UInt8]) async throws -> [UInt8] {
    if isDown { throw Down() }
    return try await authority.answer(to: request)
  }
}
