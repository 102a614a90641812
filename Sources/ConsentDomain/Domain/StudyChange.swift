internal import Base
package import ConsentContract
internal import Wire

/// Says in an event how a study was changed.
package enum StudyChange {
  /// The names of the fields that differ and, of the verifiers, each one that was added, replaced or removed, with its
  /// public key: "verifiers, names; verifier account replaced: q83v…". It is as short as a study's bounds let it be.
  ///
  /// No value of another field is in it: a name may be a person's.
  package static func note(from old: ConsentStudy, to new: ConsentStudy) -> String {
    let names = fields(from: old, to: new).joined(separator: ", ")
    return ([names] + verifiers(from: old.verifiers, to: new.verifiers)).joined(separator: "; ")
  }

  /// The time of the creation is set once, and is left out.
  private static func fields(from old: ConsentStudy, to new: ConsentStudy) -> [String] {
    var fields: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: (ConsentStudy) -> Value) {
      if value(old) != value(new) { fields.append(name) }
    }
    compare("study_id") { $0.studyID }
    compare("name") { $0.name }
    compare("second_person") { $0.secondPerson }
    compare("default_locale") { $0.defaultLocale }
    compare("retention_days") { $0.retentionDays }
    compare("verifiers") { $0.verifiers }
    compare("authentication_max_age") { $0.authenticationMaxAge }
    compare("names") { $0.names }
    compare("device_time_needs_attention") { $0.deviceTimeNeedsAttention }
    compare("unfinished_after_days") { $0.unfinishedAfterDays }
    compare("pending_change") { $0.pendingChange }
    return fields
  }

  private static func verifiers(
    from old: [AuthenticationVerifier], to new: [AuthenticationVerifier]
  ) -> [String] {
    let added = new.compactMap { verifier -> String? in
      guard let known = old.first(where: { $0.verifierID == verifier.verifierID }) else {
        return describe(verifier, "added")
      }
      return known == verifier ? nil : describe(verifier, "replaced")
    }
    let removed = old.filter { known in !new.contains { $0.verifierID == known.verifierID } }
    return added + removed.map { describe($0, "removed") }
  }

  private static func describe(_ verifier: AuthenticationVerifier, _ change: String) -> String {
    "verifier \(verifier.verifierID) \(change): \(Base64.encode(verifier.publicKey))"
  }
}
