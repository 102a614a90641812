public import Base

extension Timestamp {
  public init(_ instant: Instant) {
    let milliseconds = instant.millisecondsSince1970
    let seconds = milliseconds.flooredQuotient(1000)
    // Wrapping arithmetic: for the lowest instants the product alone overflows, and the difference is right
    // nevertheless.
    self.init(seconds: seconds, nanos: Int32(milliseconds &- seconds &* 1000) * 1_000_000)
  }

  /// The point in time, rounded down to a whole millisecond; nil when it is out of a timestamp's range.
  public var instant: Instant? {
    guard TimeText.timestampSeconds.contains(seconds), (0...999_999_999).contains(nanos) else { return nil }
    return Instant(millisecondsSince1970: seconds * 1000 + Int64(nanos / 1_000_000))
  }

  /// The point in time, rounded down to a whole millisecond; if it is out of range, the first or the last one in range.
  public var clamped: Instant {
    let whole = min(max(seconds, TimeText.timestampSeconds.lowerBound), TimeText.timestampSeconds.upperBound)
    return Instant(millisecondsSince1970: whole * 1000 + Int64(min(max(nanos, 0), 999_999_999) / 1_000_000))
  }
}

extension ProtobufDuration {
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(seconds: seconds, nanos: Int32(attoseconds / 1_000_000_000))
  }

  /// The duration; nil when it is out of a duration's range.
  public var duration: Duration? {
    guard TimeText.duration(seconds: seconds, nanos: nanos) != nil else { return nil }
    return .seconds(seconds) + .nanoseconds(Int64(nanos))
  }
}
