import Base
import Testing

@Suite("Days and times")
struct CalendarTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDay {
    try #require(CalendarDay(year: year, month: month, day: day))
  }

  private func at(_ milliseconds: Int64) -> Instant { Instant(millisecondsSince1970: milliseconds) }

  @Test(
    "days that no calendar has are refused",
    arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (0, 1, 1), (2024, 13, 1), (2024, 1, 0), (10_000, 1, 1)])
  func impossibleDays(year: Int, month: Int, day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }

  @Test("every day from 1600 to 2400 follows the one before it and comes back from its number")
  func everyDay() throws {
    var number = try day(1600, 1, 1).daysSince1970
    for year in 1600...2400 {
      for month in 1...12 {
        for date in 1...CalendarDay.length(ofMonth: month, in: year) {
          let day = try day(year, month, date)
          if day.daysSince1970 != number { Issue.record("\(day) has number \(day.daysSince1970), not \(number)") }
          let back = CalendarDay(daysSince1970: number)
          if back != day { Issue.record("\(number) is \(back), not \(day)") }
          number += 1
        }
      }
    }
  }

  @Test("the calendar begins with the year 1, ends with the year 9999, and later or earlier times count as its ends")
  func ends() throws {
    #expect(try day(1, 1, 1).daysSince1970 == -719_162)
    #expect(try day(9999, 12, 31).daysSince1970 == 2_932_896)
    #expect(try CalendarDay(daysSince1970: .max) == day(9999, 12, 31))
    #expect(try CalendarDay(daysSince1970: .min) == day(1, 1, 1))
    #expect(try CalendarDay(of: at(.max), offsetMinutes: 840) == day(9999, 12, 31))
    #expect(try CalendarDay(of: at(.min), offsetMinutes: -840) == day(1, 1, 1))
  }

  @Test("the day is the one on a clock at the person's place")
  func zones() throws {
    let evening = at(1_772_321_400_000)  // 2026-02-28T23:30:00Z
    #expect(try CalendarDay(of: evening) == day(2026, 2, 28))
    #expect(try CalendarDay(of: evening, offsetMinutes: 60) == day(2026, 3, 1))
    #expect(try CalendarDay(of: at(-1)) == day(1969, 12, 31))
    #expect(try day(1970, 1, 2).start == at(86_400_000))
  }

  @Test("times are written with their zone")
  func timeTexts() {
    #expect(TimeText.rfc3339(at(0)) == "1970-01-01T00:00:00.000Z")
    #expect(TimeText.rfc3339(at(1_772_353_800_250), offsetMinutes: 60) == "2026-03-01T09:30:00.250+01:00")
    #expect(TimeText.printed(at(1_772_353_800_250), offsetMinutes: -210) == "2026-03-01 05:00:00 UTC-03:30")
    #expect(TimeText.printed(at(-1)) == "1969-12-31 23:59:59 UTC")
    #expect(TimeText.rfc3339(at(.max)) == "9999-12-31T23:59:59.999Z")
  }

  @Test("a timestamp's text is as short as possible, and reads back unchanged")
  func timestamps() throws {
    #expect(TimeText.timestamp(seconds: 0, nanos: 0) == "1970-01-01T00:00:00Z")
    #expect(TimeText.timestamp(seconds: -1, nanos: 500_000_000) == "1969-12-31T23:59:59.500Z")
    #expect(TimeText.timestamp(seconds: 0, nanos: 1) == "1970-01-01T00:00:00.000000001Z")
    #expect(TimeText.timestamp(seconds: 253_402_300_800, nanos: 0) == nil)
    let (seconds, nanos) = try #require(TimeText.timestamp(Array("2026-03-01T09:30:00.25+01:00".utf8)))
    #expect(seconds == 1_772_353_800 && nanos == 250_000_000)
    for wrong in ["2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01", "0000-01-01T00:00:00Z"] {
      #expect(TimeText.timestamp(Array(wrong.utf8)) == nil, "\(wrong)")
    }
  }
}
