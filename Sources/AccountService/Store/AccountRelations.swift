internal import ServicePolicy
internal import Storage

/// What AccountService has on record about who somebody is to a person: whose accounts were merged into whose.
struct AccountRelations: Relations {
  let snapshot: Snapshot

  func accounts(mergedInto person: String) throws -> [String] { try PersonStore.merged(into: person, snapshot) }
}
