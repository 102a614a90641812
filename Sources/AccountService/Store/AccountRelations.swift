internal import ServicePolicy
internal import Storage

/// What AccountService knows about who a caller is to a person: which accounts were merged into which.
struct AccountRelations: Relations {
  let snapshot: Snapshot

  func accounts(mergedInto person: String) throws -> [String] { try PersonStore.merged(into: person, snapshot) }
}
