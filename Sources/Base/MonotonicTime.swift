/// A point on a clock that only moves forward, in nanoseconds from an arbitrary start.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// A time that no clock reaches.
  public static let never = MonotonicTime(nanoseconds: .max)

  /// How many whole milliseconds there are until `later`; negative when it has passed.
  @inlinable public func milliseconds(until later: MonotonicTime) -> Int64 {
    (later.nanoseconds - nanoseconds) / 1_000_000
  }

  /// How many nanoseconds have passed since `earlier`.
  @inlinable public func nanoseconds(since earlier: MonotonicTime) -> Int64 {
    nanoseconds - earlier.nanoseconds
  }

  @inlinable public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates at the largest time.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds.addingSaturating(duration.wholeNanoseconds))
  }

  public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
    .nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}
