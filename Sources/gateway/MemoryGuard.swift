internal import ServiceKit

/// Ends a gateway whose memory grows beyond its limit, and gives back what a burst of calls has left behind.
///
/// ZeroMQ bounds each frame and the number of waiting messages, but not the frames of a message that never ends:
/// anybody with a key can make a receiver grow without end, before our code sees a byte. A gateway has no state worth
/// keeping, so it ends in order and is started again.
struct MemoryGuard: Sendable {
  let limit: Int
  /// Far from the limit there is time: nothing fills the other half of the memory faster.
  private static let calmInterval = Duration.seconds(2)
  private static let alertInterval = Duration.milliseconds(200)
  /// As much free memory as is worth the time to give it back.
  private static let worthGivingBack = 32 << 20

  func watch(_ host: ServiceHost) async {
    let watching = Task { [limit] in
      var freeBefore = 0
      while !Task.isCancelled {
        let used = host.residentBytes
        if used > limit {
          host.log.error("memory limit passed", ["resident_bytes": used, "limit_bytes": limit])
          return host.giveUp(because: "resident memory of \(used) bytes passed the limit of \(limit)")
        }
        freeBefore = giveBack(host, freeBefore)
        try await Task.sleep(for: used > limit / 4 ? Self.alertInterval : Self.calmInterval)
      }
    }
    await host.lifecycle.onStop("memory guard") { watching.cancel() }
  }

  /// Memory that was free at the last look and still is has not been needed for a while.
  private func giveBack(_ host: ServiceHost, _ freeBefore: Int) -> Int {
    let free = host.residentBytes > Self.worthGivingBack ? host.freeBytes : 0
    guard min(free, freeBefore) > Self.worthGivingBack else { return free }
    host.giveBackFreeMemory()
    return 0
  }
}
