internal import ServicePolicy
internal import Storage

/// What AccountService has on record about who somebody is to a person: whose accounts were merged into whose.
struct AccountRelations: Relations {
  let snapshot: Snapshot

  func accounts(mergedInto person: String) throws -> [String] { try PersonStore.merged(into: person, snapshot) }

  func guardians(of subject: String, in study: String) -> Set<String> { [] }
  func devices(of subject: String, in study: String) -> Set<String> { [] }
  func places(of participant: String) -> Set<StudyPlace> { [] }
  func places(ofWardsOf guardian: String) -> Set<StudyPlace> { [] }
}
