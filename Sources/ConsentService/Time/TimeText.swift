/// Times as text, in the forms that records and exports use.
package enum TimeText {
  /// The last millisecond of the year 9999; calendars here end with it.
  package static let last: Int64 = 253_402_300_799_999
  /// The first of the year 1.
  package static let first: Int64 = -62_135_596_800_000

  /// A time as RFC 3339 writes it, with the offset given: 2026-03-01T09:30:00.250+01:00.
  package static func rfc3339(_ milliseconds: Int64, offsetMinutes: Int = 0) -> String {
    let parts = Parts(milliseconds, offsetMinutes: offsetMinutes)
    return "\(parts.day)T\(parts.clock).\(padded(parts.millisecond, 3))\(zone(offsetMinutes, utc: "Z"))"
  }

  /// A time as it is printed beside a signature: 2026-03-01 09:30:00 UTC+01:00.
  package static func printed(_ milliseconds: Int64, offsetMinutes: Int = 0) -> String {
    let parts = Parts(milliseconds, offsetMinutes: offsetMinutes)
    return "\(parts.day) \(parts.clock) UTC\(zone(offsetMinutes, utc: ""))"
  }

  private static func zone(_ offsetMinutes: Int, utc: String) -> String {
    guard offsetMinutes != 0 else { return utc }
    let minutes = abs(offsetMinutes)
    return "\(offsetMinutes < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }

  private struct Parts {
    let day: CalendarDay
    let clock: String
    let millisecond: Int

    init(_ time: Int64, offsetMinutes: Int) {
      let milliseconds = min(max(time, TimeText.first), TimeText.last)
      day = CalendarDay(millisecondsSince1970: milliseconds, offsetMinutes: offsetMinutes)
      let local = milliseconds + Int64(offsetMinutes) * 60_000
      let start = Int64(day.daysSince1970) * CalendarDay.millisecondsPerDay
      let ofDay = Int(local - start)
      clock = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60].map { padded($0, 2) }.joined(separator: ":")
      millisecond = ofDay % 1000
    }
  }
}
