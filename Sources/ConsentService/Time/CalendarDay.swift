/// A day of the Gregorian calendar, checked: there is no 30 February in it.
package struct CalendarDay: Hashable, Comparable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nil when there is no such day between the years 1 and 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that a clock in UTC shows, `offsetMinutes` east of Greenwich, at a time in milliseconds since 1970. Times beyond the
  /// calendar count as its first or last.
  package init(millisecondsSince1970 time: Int64, offsetMinutes: Int = 0) {
    let local = min(max(time, TimeText.first), TimeText.last) + Int64(offsetMinutes) * 60_000
    let days = (local >= 0 ? local : local - (Self.millisecondsPerDay - 1)) / Self.millisecondsPerDay
    (year, month, day) = Self.civil(daysSince1970: Int(clamping: days))
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  package static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  package static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1 January 1970.
  package var daysSince1970: Int {
    // Years that begin in March put the leap day last, so that every month has one fixed place in them.
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static let millisecondsPerDay: Int64 = 86_400_000

  /// When the day begins in UTC.
  package var millisecondsSince1970: Int64 { Int64(daysSince1970) * Self.millisecondsPerDay }

  /// Reads what `description` writes.
  package init?(_ text: String) {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    self.init(year: parts[0], month: parts[1], day: parts[2])
  }

  private static func civil(daysSince1970: Int) -> (Int, Int, Int) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension CalendarDay: CustomStringConvertible {
  /// As ISO 8601 writes it: 2024-02-29.
  package var description: String {
    "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

/// `number` with zeros in front, `digits` wide.
package func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
