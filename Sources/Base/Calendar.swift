extension Instant {
  /// The instant in UTC as RFC 3339 writes it, with milliseconds: 2026-03-01T12:30:00.250Z.
  public var rfc3339: String {
    let day = millisecondsSince1970.dividedDown(by: 86_400_000)
    let date = CivilDate(daysSince1970: day.quotient)
    let time = day.remainder
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
      + "\(digits(time / 3_600_000, 2)):\(digits(time / 60_000 % 60, 2)):\(digits(time / 1000 % 60, 2))"
      + ".\(digits(time % 1000, 3))Z"
  }
}

/// A day of the Gregorian calendar.
public struct CivilDate: Hashable, Sendable {
  public let year: Int64
  public let month: Int64
  public let day: Int64

  /// Counts in years that begin in March, so that the leap day is the last of its year, and in eras of 400 such years.
  public init(daysSince1970: Int64) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).dividedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  /// Division that rounds towards minus infinity, so that the remainder is never negative.
  fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

private func digits(_ number: Int64, _ width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}
