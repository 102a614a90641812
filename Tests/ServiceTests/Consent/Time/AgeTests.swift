import Base
import ConsentService
import Testing

@Suite("Ages and days")
struct AgeTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDay {
    try #require(CalendarDay(year: year, month: month, day: day))
  }

  @Test("a minimum age is checked by calendar, 29 February included")
  func leapDayBirthdays() throws {
    let birth = try day(2008, 2, 29)
    #expect(Age.years(from: birth, on: try day(2026, 2, 28)) == 17)
    #expect(Age.years(from: birth, on: try day(2026, 3, 1)) == 18)
    #expect(Age.years(from: birth, on: try day(2028, 2, 28)) == 19)
    #expect(Age.years(from: birth, on: try day(2028, 2, 29)) == 20)
    #expect(Age.birthday(of: birth, turning: 18) == (try day(2026, 3, 1)))
    #expect(Age.birthday(of: birth, turning: 20) == (try day(2028, 2, 29)))
  }

  @Test("the birthday itself counts, the day before does not")
  func birthdayCounts() throws {
    let birth = try day(2008, 11, 20)
    #expect(Age.years(from: birth, on: try day(2026, 11, 19)) == 17)
    #expect(Age.years(from: birth, on: try day(2026, 11, 20)) == 18)
  }

  @Test(
    "days that no calendar has are refused",
    arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (0, 1, 1), (2024, 13, 1), (2024, 1, 0)])
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

  @Test("times are written with their zone")
  func timeTexts() {
    #expect(TimeText.rfc3339(at(0)) == "1970-01-01T00:00:00.000Z")
    #expect(TimeText.rfc3339(at(1_772_353_800_250), offsetMinutes: 60) == "2026-03-01T09:30:00.250+01:00")
    #expect(TimeText.printed(at(1_772_353_800_250), offsetMinutes: -210) == "2026-03-01 05:00:00 UTC-03:30")
    #expect(TimeText.printed(at(-1)) == "1969-12-31 23:59:59 UTC")
  }

  private func at(_ milliseconds: Int64) -> Instant { Instant(millisecondsSince1970: milliseconds) }
}
