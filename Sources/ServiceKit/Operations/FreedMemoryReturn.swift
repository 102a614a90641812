internal import Base

/// Gives memory back to the system that a burst of work has left behind: the C library keeps free blocks that lie
/// between used ones.
struct FreedMemoryReturn: Sendable {
  private static let interval = Duration.seconds(3)
  /// As much free memory as is worth the time to give it back.
  private static let worthGivingBack = 32 << 20

  static func start(_ host: ServiceHost) async {
    let watching = Task {
      var freeBefore = 0
      while !Task.isCancelled {
        freeBefore = giveBack(host.residentBytes, freeBefore)
        try await Task.sleep(for: interval)
      }
    }
    await host.lifecycle.onStop("freed memory") { watching.cancel() }
  }

  /// Memory that was free at the last look and still is has not been needed for a while.
  private static func giveBack(_ residentBytes: Int, _ freeBefore: Int) -> Int {
    let free = residentBytes > worthGivingBack ? FreedMemory.byteCount : 0
    guard min(free, freeBefore) > worthGivingBack else { return free }
    FreedMemory.giveBack()
    return 0
  }
}
