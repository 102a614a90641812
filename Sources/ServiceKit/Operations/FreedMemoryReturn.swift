internal import Base

/// Gives memory that a burst of work has freed back to the kernel. The C library by itself keeps free blocks that lie
/// between used ones.
enum FreedMemoryReturn {
  private static let interval = Duration.seconds(8)
  /// Memory that is free for so long is not needed for a while.
  private static let freeFor = Duration.seconds(4)
  /// With less free memory than this, giving it back is not worth the time.
  private static let worthGivingBack = 32 << 20

  static func start(_ host: ServiceHost) {
    host.repeatedly {
      // On a thread of its own: it takes up to a fifth of a second for each gigabyte, in which no pause would end.
      if host.residentBytes > worthGivingBack {
        NativeThread.start(name: "memory", stackBytes: 64 << 10) { giveBack() }
      }
      return interval
    }
  }

  private static func giveBack() {
    guard FreedMemory.byteCount > worthGivingBack else { return }
    NativeThread.sleep(for: freeFor)
    if FreedMemory.byteCount > worthGivingBack { FreedMemory.giveBack() }
  }
}
