package import ConsentContract

/// How long somebody is a person's guardian.
package enum GuardianRules {
  package static let usualMajority = 18
  package static let majorities = 1...30

  /// A parent's authority ends when the ward comes of age. What a court or the person gave does not end by itself, and
  /// without a birth date on record nothing is known of the age.
  package static func stands(_ guardian: Guardian, wardsAge age: Int?) -> Bool {
    guard guardian.authority == .parent, let age else { return true }
    return age < (guardian.majorityAge == 0 ? usualMajority : Int(guardian.majorityAge))
  }
}
