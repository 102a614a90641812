package import Base
package import ConsentContract

/// What a document's age policy makes of a birth date.
package enum AgeRule {
  /// How old a person counts as. Without a policy, or with no birth date known, of age.
  ///
  /// A session counts ages on the day it started: a birthday in the middle of it changes nobody's pages.
  package static func standing(_ policy: AgePolicy?, birthDate: CalendarDay?, on day: CalendarDay) -> Standing {
    guard let policy, let birthDate else { return .ofAge }
    let age = Age.years(from: birthDate, on: day)
    if age < Int(policy.minimumAge) { return .tooYoung }
    if age >= Int(policy.majorityAge) { return .ofAge }
    return .minor(assents: policy.assentAge > 0 && age >= Int(policy.assentAge))
  }

  /// All that a record keeps of the check; nil when the document has no age policy.
  package static func check(_ settings: DocumentSettings, documentID: String, _ standing: Standing) -> AgeCheck? {
    guard settings.age != nil else { return nil }
    return AgeCheck(
      documentID: documentID, oldEnough: standing != .tooYoung,
      needsGuardian: standing == .minor(assents: true) || standing == .minor(assents: false),
      needsAssent: standing == .minor(assents: true))
  }

  /// The first day of the month in which the person comes of age; empty for who is of age.
  ///
  /// The day itself would give the birth date away.
  package static func majorityMonth(_ policy: AgePolicy?, birthDate: CalendarDay?, _ standing: Standing) -> String {
    guard case .minor = standing, let policy, let birthDate,
      let birthday = Age.birthday(of: birthDate, turning: Int(policy.majorityAge)),
      let month = CalendarDay(year: birthday.year, month: birthday.month, day: 1)
    else { return "" }
    return month.description
  }
}
