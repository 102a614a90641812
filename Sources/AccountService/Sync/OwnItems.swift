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

  /// Items that failed or wait for a decision: those of one account after those of another.
  static func failed(
    of person: String, _ size: Int32, _ token: String, _ snapshot: Snapshot
  ) throws -> (items: [ItemOutcome], next: String) {
    let accounts = try accounts(of: person, snapshot)
    let (items, next) = try PagesInTurn(size: size, token: token).page(of: accounts) { account, page in
      try ItemStore.failed(of: account, page, snapshot)
    }
    return (items.compactMap(\.outcome).map(UploadRules.told), next)
  }
}
