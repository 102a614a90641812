/// A point in wall-clock time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// It says when something happened. How long something may take is measured on a monotonic clock instead.
public struct Instant: Hashable, Comparable, Sendable {
  public let millisecondsSince1970: Int64

  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(millisecondsSince1970: instant.millisecondsSince1970.addingSaturating(duration.wholeMilliseconds))
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    .milliseconds(later.millisecondsSince1970.subtractingSaturating(earlier.millisecondsSince1970))
  }
}

extension Duration {
  /// The duration in milliseconds, rounded towards zero. A duration that is too long becomes the nearest `Int64`.
  public var wholeMilliseconds: Int64 { whole(1000) }

  /// The duration in nanoseconds, rounded towards zero. A duration of centuries becomes the nearest `Int64`.
  public var wholeNanoseconds: Int64 {
    let total = attoseconds
    // 10⁹ is 2⁹ · 5⁹: divided by 2⁹ first, more than an hour of attoseconds fits into a machine word. Every call of the
    // bus converts a duration, so the shortcut counts.
    if total >= 0, total < 1 << 72 { return Int64(truncatingIfNeeded: total >> 9) / 1_953_125 }
    return whole(1_000_000_000)
  }

  /// The duration in units of which `perSecond` make a second. It saturates, since a peer may have chosen the duration.
  private func whole(_ perSecond: Int64) -> Int64 {
    let parts = components
    return parts.seconds.multipliedSaturating(by: perSecond)
      .addingSaturating(parts.attoseconds / (1_000_000_000_000_000_000 / perSecond))
  }
}
