package import Base
package import ConsentContract

/// Applies a document's age policy to a birth date.
package enum AgeRule {
  /// The person's standing by age. Without a policy, or without a known birth date, the person counts as of age.
  ///
  /// A session computes ages for the day on which it started: a birthday during a session changes no pages.
  package static func standing(_ policy: AgePolicy?, birthDate: CalendarDay?, on day: CalendarDay) -> Standing {
    guard let policy, let birthDate else { return .ofAge }
    let age = Age.years(from: birthDate, on: day)
    if age < Int(policy.minimumAge) { return .tooYoung }
    if age >= Int(policy.majorityAge) { return .ofAge }
    return .minor(assents: policy.assentAge > 0 && age >= Int(policy.assentAge))
  }

  /// The result of the age check that a record keeps; nil if the document has no age policy or no birth date is known.
  package static func check(
    _ settings: DocumentSettings, documentID: String, birthDate: CalendarDay?, _ standing: Standing
  ) -> AgeCheck? {
    guard settings.age != nil, birthDate != nil else { return nil }
    return AgeCheck(
      documentID: documentID, oldEnough: standing != .tooYoung,
      needsGuardian: standing == .minor(assents: true) || standing == .minor(assents: false),
      needsAssent: standing == .minor(assents: true))
  }

  /// The first day of the month in which the person comes of age; empty for a person who is of age.
  ///
  /// The exact day would reveal the birth date.
  package static func majorityMonth(_ policy: AgePolicy?, birthDate: CalendarDay?, _ standing: Standing) -> String {
    guard case .minor = standing, let policy, let birthDate,
      let birthday = Age.birthday(of: birthDate, turning: Int(policy.majorityAge)),
      let month = CalendarDay(year: birthday.year, month: birthday.month, day: 1)
    else { return "" }
    return month.description
  }
}
