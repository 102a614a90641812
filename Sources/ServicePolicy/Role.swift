/// A person's role in a study. Roles come with the caller's verified identity.
public enum Role: String, Sendable, CaseIterable {
  case participant, guardian, witness, investigator, coordinator, inspector, publisher, admin

  /// Roles of people who work in a study rather than take part in it.
  public static let staff: [Role] = [.witness, .investigator, .coordinator, .inspector, .publisher]
  /// Roles that may read what is on record.
  public static let readers: [Role] = [.investigator, .coordinator, .inspector]
}

/// A role at a place, as an identity carries it: `role@study`, `role@study/site` or `role@*`.
struct Grant: Hashable, Sendable {
  let role: String
  let study: String
  /// Empty: the whole study.
  let site: String

  /// nil for a text that grants nothing: a role without a place.
  init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let place = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !place[0].isEmpty else { return nil }
    role = String(parts[0])
    study = place[0]
    site = place.count > 1 ? place[1] : ""
  }

  func isAt(study: String, site: String) -> Bool {
    (self.study == "*" || self.study == study) && (self.site.isEmpty || self.site == site)
  }
}
