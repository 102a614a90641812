internal import CSystem
internal import Glibc

/// A source of time: a value, so that tests and simulations bring their own.
public struct Clock: Sendable {
  private let readWall: @Sendable () -> Instant
  private let readMonotonic: @Sendable () -> MonotonicTime
  private let readElapsed: @Sendable () -> MonotonicTime

  /// - Parameter elapsed: by default `monotonic`, which is the same where the machine is never suspended.
  public init(
    wall: @escaping @Sendable () -> Instant, monotonic: @escaping @Sendable () -> MonotonicTime,
    elapsed: (@Sendable () -> MonotonicTime)? = nil
  ) {
    readWall = wall
    readMonotonic = monotonic
    readElapsed = elapsed ?? monotonic
  }

  /// The wall-clock time, for records.
  public var now: Instant { readWall() }

  /// The monotonic time, for deadlines: never set back, unrelated to the calendar.
  public var monotonic: MonotonicTime { readMonotonic() }

  /// Like the monotonic time, but also counts while the machine is suspended: for whatever expires whether or not this
  /// machine runs.
  public var elapsed: MonotonicTime { readElapsed() }

  /// The machine's own clocks.
  public static let system = Clock(
    wall: { Instant(millisecondsSince1970: read(CLOCK_REALTIME) / 1_000_000) },
    monotonic: { MonotonicTime(nanoseconds: read(CLOCK_MONOTONIC)) },
    elapsed: { MonotonicTime(nanoseconds: read(CLOCK_BOOTTIME)) }
  )

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
