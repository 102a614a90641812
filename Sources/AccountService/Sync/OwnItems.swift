internal import AccountContract
internal import ServicePolicy
internal import Storage

/// The kept items of a person, with those of the accounts that were merged into the person's.
struct OwnItems {
  private let accounts: [String]
  private let snapshot: Snapshot

  init(of person: String, _ snapshot: Snapshot) throws {
    accounts = try [person] + PersonStore.merged(into: person, snapshot)
    self.snapshot = snapshot
  }

  /// An item; of two that have its name the one that waits for its person.
  func item(_ id: String, from deviceID: String) throws -> KeptItem? {
    try verify([(id, deviceID)])
    return try verifiedItem(id, from: deviceID)
  }

  func verify(_ items: [(id: String, deviceID: String)]) throws {
    try ItemStore.verify(items.flatMap { names($0.id, $0.deviceID) }, snapshot)
  }

  func verifiedItem(_ id: String, from deviceID: String) throws -> KeptItem? {
    let found = try names(id, deviceID).compactMap { try ItemStore.verifiedItem($0, snapshot) }
    return found.first { Self.isKept($0) } ?? found.first
  }

  private func names(_ id: String, _ deviceID: String) -> [ItemStore.Name] {
    accounts.map { ItemStore.Name(id: id, deviceID: deviceID, personID: $0) }
  }

  static func isKept(_ item: KeptItem) -> Bool { item.outcome?.state == .failed || item.outcome?.state == .conflict }

  /// Items that failed or wait for a decision: those of one account after those of another. A token says how many
  /// accounts are through.
  func failed(_ size: Int32, _ token: String) throws -> (items: [ItemOutcome], next: String) {
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var number = parts.count == 2 ? Int(parts[0]) ?? -1 : 0
    guard accounts.indices.contains(number) else {
      throw DatabaseError(.badCursor, "the cursor does not belong to this list")
    }
    var (items, next) = try ItemStore.failed(
      of: accounts[number], try PageRequest(size: size, token: parts.last ?? ""), snapshot)
    // No page is empty while an account has something.
    while items.isEmpty, next.isEmpty, number + 1 < accounts.count {
      number += 1
      (items, next) = try ItemStore.failed(of: accounts[number], try PageRequest(size: size), snapshot)
    }
    let told = items.compactMap(\.outcome).map(UploadRules.told)
    if !next.isEmpty { return (told, "\(number).\(next)") }
    return (told, number + 1 < accounts.count ? "\(number + 1)." : "")
  }
}
