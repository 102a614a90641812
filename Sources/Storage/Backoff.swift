internal import Base

/// Pauses that double, with jitter, so that transactions that collided do not collide again.
struct Backoff {
  let randomness: Randomness
  private var milliseconds: Int64 = 2
  private static let longest: Int64 = 200

  init(randomness: Randomness) { self.randomness = randomness }

  /// Blocks the thread for the next pause. Returns false without waiting if the deadline would pass first.
  mutating func wait(until deadline: MonotonicTime, by clock: Clock) -> Bool {
    let jittered = milliseconds / 2 + Int64(randomness.word() % UInt64(milliseconds))
    milliseconds = min(milliseconds * 2, Self.longest)
    guard clock.monotonic + .milliseconds(jittered) < deadline else { return false }
    NativeThread.sleep(for: .milliseconds(jittered))
    return true
  }
}
