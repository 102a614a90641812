internal import Base
internal import Synchronization

/// Gives memory that a burst of work has freed back to the kernel. The C library by itself keeps free blocks that lie
/// between used ones.
final class FreedMemoryReturn: Sendable {
  private static let interval = Duration.seconds(4)
  /// The interval while there is nothing to give back.
  private static let restingInterval = Duration.seconds(8)
  /// With less free memory than this, giving it back is not worth the time.
  private static let worthGivingBack = 32 << 20

  private let freeBefore = Mutex(0)

  static func start(_ host: ServiceHost) {
    let memory = FreedMemoryReturn()
    host.repeatedly { memory.giveBack(host.residentBytes) ? interval : restingInterval }
  }

  /// Gives memory back only if as much was free at the last look, so that it has not been needed for a while. Returns
  /// whether more may have to be given back soon.
  private func giveBack(_ residentBytes: Int) -> Bool {
    freeBefore.withLock { freeBefore in
      let free = residentBytes > Self.worthGivingBack ? FreedMemory.byteCount : 0
      let isWorthIt = min(free, freeBefore) > Self.worthGivingBack
      if isWorthIt { FreedMemory.giveBack() }
      freeBefore = isWorthIt ? 0 : free
      return free > Self.worthGivingBack
    }
  }
}
