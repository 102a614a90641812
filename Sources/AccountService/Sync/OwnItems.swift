internal import AccountContract
internal import ServicePolicy
internal import Storage

/// The kept items of a person, with those of the accounts that were merged into the person's.
enum OwnItems {
  private static func accounts(of person: String, _ snapshot: Snapshot) throws -> [String] {
    try [person] + PersonStore.merged(into: person, snapshot)
  }

  /// An item; of two that have its name the one that waits for its person.
  static func item(_ id: String, from deviceID: String, of person: String, _ snapshot: Snapshot) throws -> KeptItem? {
    let found = try accounts(of: person, snapshot).compactMap {
      try ItemStore.item(id, from: deviceID, of: $0, snapshot)
    }
    return found.first { isKept($0) } ?? found.first
  }

  static func isKept(_ item: KeptItem) -> Bool { item.outcome?.state == .failed || item.outcome?.state == .conflict }

  /// Items that failed or wait for a decision: those of one account after those of another. A token says how many
  /// accounts are through.
  static func failed(
    of person: String, _ size: Int32, _ token: String, _ snapshot: Snapshot
  ) throws -> (items: [ItemOutcome], next: String) {
    let accounts = try accounts(of: person, snapshot)
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
