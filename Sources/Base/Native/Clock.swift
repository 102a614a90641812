internal import Glibc

/// A source of time: a value, so that a test or a simulation brings its own.
public struct Clock: Sendable {
  private let readWall: @Sendable () -> Instant
  private let readMonotonic: @Sendable () -> MonotonicTime

  public init(
    wall: @escaping @Sendable () -> Instant, monotonic: @escaping @Sendable () -> MonotonicTime
  ) {
    readWall = wall
    readMonotonic = monotonic
  }

  /// The wall-clock time, for records.
  public var now: Instant { readWall() }

  /// The monotonic time, for deadlines: never set back, unrelated to the calendar.
  public var monotonic: MonotonicTime { readMonotonic() }

  /// The machine's own clocks.
  public static let system = Clock(
    wall: { Instant(millisecondsSince1970: read(CLOCK_REALTIME) / 1_000_000) },
    monotonic: { MonotonicTime(nanoseconds: read(CLOCK_MONOTONIC)) }
  )

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
