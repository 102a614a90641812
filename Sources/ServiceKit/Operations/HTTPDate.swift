package import Base

/// The time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`. It is written once for each second.
package struct HTTPDate {
  private var second: Int64 = .min
  private var written = ""

  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package init() {}

  package mutating func text(at now: Instant) -> String {
    let now = TimeText.clamped(now)
    let current = now.millisecondsSince1970 / 1000
    guard current != second else { return written }
    second = current
    let day = CalendarDay(of: now)
    let weekday = Self.weekdays[((day.daysSince1970 % 7) + 7) % 7]
    // 1994-11-06 08:49:37 UTC
    let clock = TimeText.printed(now).dropFirst(11).prefix(8)
    let number = day.day < 10 ? "0\(day.day)" : "\(day.day)"
    written = "\(weekday), \(number) \(Self.months[day.month - 1]) \(day.year) \(clock) GMT"
    return written
  }
}
