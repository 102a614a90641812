/// A valid day of the Gregorian calendar: never, for instance, 30 February.
public struct CalendarDay: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Nil when the calendar has no such day between the years 1 and 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day this many days after 1 January 1970. Days before the year 1 become its first day, and days after the year
  /// 9999 its last.
  public init(daysSince1970: Int) {
    let days = min(max(daysSince1970, Self.firstDay), Self.lastDay) + Self.marchDays
    let era = days / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of an instant where clocks are `offsetMinutes` ahead of UTC.
  public init(of instant: Instant, offsetMinutes: Int = 0) {
    let local = TimeText.clamped(instant).millisecondsSince1970 + Int64(offsetMinutes) * 60_000
    self.init(daysSince1970: Int(local.flooredQuotient(Self.milliseconds)))
  }

  /// Days since 1 January 1970.
  ///
  /// Counts years from March: then the leap day comes last, so that every month begins at a fixed place in the year.
  /// 400 years have 146,097 days.
  public var daysSince1970: Int {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.marchDays
  }

  /// The instant at which the day begins in UTC.
  public var start: Instant { Instant(millisecondsSince1970: Int64(daysSince1970) * Self.milliseconds) }

  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  public static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  public static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let milliseconds: Int64 = 86_400_000
  /// Days from 1 March of the year 0, from which years that begin in March are counted, to 1 January 1970.
  private static let marchDays = 719_468
  /// 0001-01-01 and 9999-12-31.
  private static let firstDay = -719_162
  private static let lastDay = 2_932_896
}

extension CalendarDay: CustomStringConvertible {
  /// As ISO 8601 writes it: 2024-02-29.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
}

extension Duration {
  /// This many days of 24 hours.
  public static func days(_ count: Int) -> Duration { .seconds(Int64(count) * 86_400) }
}

extension Int64 {
  /// Division that rounds towards minus infinity.
  package func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// `number` with leading zeros, at least `width` digits long.
package func padded(_ number: some BinaryInteger, _ width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
