import Base
import ConsentDomain
import Testing

@Suite("Ages")
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
}
