package import Base

/// Ages in whole years by the calendar, as laws count them.
package enum Age {
  /// How old a person born on `birth` is on `day`; negative before the birth.
  ///
  /// A person born on 29 February grows a year older on 1 March of a common year: on 28 February the birthday has not
  /// come.
  package static func years(from birth: CalendarDay, on day: CalendarDay) -> Int {
    let years = day.year - birth.year
    return (day.month, day.day) >= (birth.month, birth.day) ? years : years - 1
  }

  /// The first day on which a person born on `birth` is `age` years old.
  package static func birthday(of birth: CalendarDay, turning age: Int) -> CalendarDay? {
    CalendarDay(year: birth.year + age, month: birth.month, day: birth.day)
      ?? CalendarDay(year: birth.year + age, month: 3, day: 1)
  }
}
