/// Times as text: RFC 3339, the two forms that proto3's JSON has for timestamps and durations, and the one printed on
/// documents.
public enum TimeText {
  /// 0001-01-01T00:00:00Z … 9999-12-31T23:59:59Z, in seconds since 1970.
  package static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// Some 10,000 years in either direction.
  package static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000
  private static let secondsPerDay: Int64 = 86_400

  /// The instant, or the calendar's first or last one if it lies outside.
  package static func clamped(_ instant: Instant) -> Instant {
    let (first, last) = (timestampSeconds.lowerBound * 1000, timestampSeconds.upperBound * 1000 + 999)
    return Instant(millisecondsSince1970: min(max(instant.millisecondsSince1970, first), last))
  }

  // MARK: - Instants

  /// With milliseconds and the given offset: 2026-03-01T09:30:00.250+01:00.
  public static func rfc3339(_ instant: Instant, offsetMinutes: Int = 0) -> String {
    let (day, clock, millisecond) = parts(instant, offsetMinutes)
    return "\(day)T\(clock).\(padded(millisecond, 3))\(zone(offsetMinutes, utc: "Z"))"
  }

  /// The form that is printed beside a signature: 2026-03-01 09:30:00 UTC+01:00.
  public static func printed(_ instant: Instant, offsetMinutes: Int = 0) -> String {
    let (day, clock, _) = parts(instant, offsetMinutes)
    return "\(day) \(clock) UTC\(zone(offsetMinutes, utc: ""))"
  }

  private static func parts(_ instant: Instant, _ offsetMinutes: Int) -> (CalendarDay, String, Int64) {
    let day = CalendarDay(of: instant, offsetMinutes: offsetMinutes)
    let local = clamped(instant).millisecondsSince1970 + Int64(offsetMinutes) * 60_000
    let ofDay = local - day.start.millisecondsSince1970
    return (day, clock(second: ofDay / 1000), ofDay % 1000)
  }

  private static func zone(_ offsetMinutes: Int, utc: String) -> String {
    guard offsetMinutes != 0 else { return utc }
    let minutes = abs(offsetMinutes)
    return "\(offsetMinutes < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
  }

  private static func clock(second: Int64) -> String {
    "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
  }

  // MARK: - Timestamps

  /// RFC 3339 in UTC with as many digits of the second as needed: 2024-02-29T12:00:00.250Z. nil when out of range.
  package static func timestamp(seconds: Int64, nanos: Int32) -> String? {
    guard timestampSeconds.contains(seconds), (0...999_999_999).contains(nanos) else { return nil }
    let days = seconds.flooredQuotient(secondsPerDay)
    let time = clock(second: seconds - days * secondsPerDay)
    return "\(CalendarDay(daysSince1970: Int(days)))T\(time)\(fraction(nanos))Z"
  }

  /// The seconds and nanoseconds of an RFC 3339 text, or nil when it is malformed or out of range.
  package static func timestamp(_ text: [UInt8]) -> (seconds: Int64, nanos: Int32)? {
    var reader = TimeReader(text)
    guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
      let date = reader.digits(2), reader.skip("T"), let hour = reader.digits(2), reader.skip(":"),
      let minute = reader.digits(2), reader.skip(":"), let second = reader.digits(2), let nanos = reader.fraction(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    guard hour < 24, minute < 60, second < 60,
      let day = CalendarDay(year: Int(year), month: Int(month), day: Int(date))
    else { return nil }
    let seconds = Int64(day.daysSince1970) * secondsPerDay + hour * 3600 + minute * 60 + second - offset
    return timestampSeconds.contains(seconds) ? (seconds, nanos) : nil
  }

  // MARK: - Durations

  /// Seconds with a fraction, or nil when the duration is out of range or its two parts have different signs.
  package static func duration(seconds: Int64, nanos: Int32) -> String? {
    guard durationSeconds.contains(seconds), (-999_999_999...999_999_999).contains(nanos),
      seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0)
    else { return nil }
    let sign = seconds < 0 || nanos < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude)\(fraction(Int32(nanos.magnitude)))s"
  }

  package static func duration(_ text: [UInt8]) -> (seconds: Int64, nanos: Int32)? {
    var reader = TimeReader(text)
    let isNegative = reader.skip("-")
    guard let seconds = reader.number(upTo: durationSeconds.upperBound), let nanos = reader.fraction(),
      reader.skip("s"), reader.isAtEnd
    else { return nil }
    return isNegative ? (-seconds, -nanos) : (seconds, nanos)
  }

  // MARK: - Parts

  /// The fraction with none, three, six or nine digits: as few as express it exactly.
  private static func fraction(_ nanos: Int32) -> String {
    if nanos == 0 { return "" }
    if nanos % 1_000_000 == 0 { return "." + padded(Int64(nanos / 1_000_000), 3) }
    if nanos % 1000 == 0 { return "." + padded(Int64(nanos / 1000), 6) }
    return "." + padded(Int64(nanos), 9)
  }
}

/// Reads a time's text character by character.
private struct TimeReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: [UInt8]) {
    rest = text[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int64? {
    guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    rest.removeFirst()
    return Int64(first - UInt8(ascii: "0"))
  }

  mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// A number of one digit or more; nil when it exceeds the bound.
  mutating func number(upTo bound: Int64) -> Int64? {
    guard var value = digit() else { return nil }
    while let digit = digit() {
      value = value * 10 + digit
      if value > bound { return nil }
    }
    return value
  }

  /// Nanoseconds; 0 when the text has no fraction.
  mutating func fraction() -> Int32? {
    guard skip(".") else { return 0 }
    var value: Int32 = 0
    var count = 0
    while let digit = digit() {
      count += 1
      if count > 9 { return nil }
      value = value * 10 + Int32(digit)
    }
    guard count > 0 else { return nil }
    for _ in count..<9 { value *= 10 }
    return value
  }

  /// The distance from UTC in seconds.
  mutating func offset() -> Int64? {
    if skip("Z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }
}
