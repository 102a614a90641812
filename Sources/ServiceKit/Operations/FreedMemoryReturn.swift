internal import Base
internal import Synchronization

/// Gives memory back to the system that a burst of work has left behind: the C library keeps free blocks that lie
/// between used ones.
final class FreedMemoryReturn: Sendable {
  private static let interval = Duration.seconds(3)
  /// As much free memory as is worth the time to give it back.
  private static let worthGivingBack = 32 << 20

  private let freeBefore = Mutex(0)

  static func start(_ host: ServiceHost) {
    let memory = FreedMemoryReturn()
    host.repeatedly("freed-memory") {
      memory.giveBack(host.residentBytes)
      return interval
    }
  }

  /// Memory that was free at the last look and still is has not been needed for a while.
  private func giveBack(_ residentBytes: Int) {
    freeBefore.withLock { freeBefore in
      let free = residentBytes > Self.worthGivingBack ? FreedMemory.byteCount : 0
      let isWorthIt = min(free, freeBefore) > Self.worthGivingBack
      if isWorthIt { FreedMemory.giveBack() }
      freeBefore = isWorthIt ? 0 : free
    }
  }
}
