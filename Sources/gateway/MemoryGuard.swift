internal import ServiceKit

/// Ends a gateway whose memory grows beyond its limit.
///
/// ZeroMQ bounds each frame and the number of waiting messages, but not the frames of a message that never ends:
/// anybody with a key can make a receiver grow without end, before our code sees a byte. A gateway has no state worth
/// keeping, so it ends in order and is started again.
struct MemoryGuard: Sendable {
  let limit: Int
  /// The interval while memory is far from the limit: in this time, nothing fills the rest of it.
  private static let calmInterval = Duration.seconds(2)
  private static let alertInterval = Duration.milliseconds(200)

  func watch(_ host: ServiceHost) {
    host.repeatedly { [limit] in
      let used = host.residentBytes
      guard used > limit else { return used > limit / 4 ? Self.alertInterval : Self.calmInterval }
      host.log.error("memory limit passed", ["resident_bytes": used, "limit_bytes": limit])
      host.giveUp(because: "resident memory of \(used) bytes passed the limit of \(limit)")
      return nil
    }
  }
}
