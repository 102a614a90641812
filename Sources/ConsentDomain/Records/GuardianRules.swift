package import ConsentContract

/// How long somebody is a person's guardian.
package enum GuardianRules {
  package static let usualMajority = 18
  package static let majorities = 1...30

  /// Whether a guardian's authority is still valid. A parent's ends when the ward comes of age, but not while no birth
  /// date is on record. Authority from a court or from the person does not end by itself.
  package static func stands(_ guardian: Guardian, wardsAge age: Int?) -> Bool {
    guard guardian.authority == .parent, let age else { return true }
    return age < (guardian.majorityAge == 0 ? usualMajority : Int(guardian.majorityAge))
  }
}
