package import ServicePolicy

/// A role at a place, as administrators grant it: `role@study`, `role@study/site` or `role@*`.
package struct RoleText: Hashable, Sendable {
  package let text: String
  /// The study; "*" for the whole tenant.
  package let study: String

  /// - Parameter field: where the request has it.
  package init(_ text: String, field: String = "role") throws(Refusal) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let places = parts.count == 2 ? parts[1].split(separator: "/", omittingEmptySubsequences: false) : []
    let isPlace =
      parts.count == 2 && parts[1] == "*" || (1...2).contains(places.count) && places.allSatisfy(Self.isName)
    // Participants and guardians are not granted: that follows from what is on record about a subject.
    guard isPlace, Role.isGranted(parts[0]) else {
      let message =
        "\(field) is '\(text.prefix(80))'; it must be a role that is granted, '@', and a study, study/site or '*'"
      throw Refusal(.invalid, "bad_role", field: field, message)
    }
    self.text = text
    study = String(places[0])
  }

  private static func isName(_ name: Substring) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
  }
}
