internal import AccountContract
internal import ServicePolicy
internal import Storage

/// The kept items of a person, with those of the accounts that were merged into the person's.
struct OwnItems {
  private let accounts: [String]
  private let snapshot: Snapshot

  init(of person: String, _ snapshot: Snapshot) throws {
    accounts = try PersonStore.names(of: person, snapshot)
    self.snapshot = snapshot
  }

  /// An item. If two accounts have one of this name, the one that its person still has to deal with.
  func item(_ id: String, from deviceID: String) throws -> KeptItem? {
    let found = try names(id, deviceID).compactMap { try ItemStore.content(of: $0, snapshot) }
    return found.first { Self.isKept($0) } ?? found.first
  }

  private func names(_ id: String, _ deviceID: String) -> [ItemStore.Name] {
    accounts.map { ItemStore.Name(id: id, deviceID: deviceID, personID: $0) }
  }

  /// Locks an item until the transaction ends, whichever of the accounts has it.
  func lock(_ id: String, from deviceID: String, _ transaction: Transaction) throws {
    try ItemStore.lock(names(id, deviceID), transaction)
  }

  static func isKept(_ item: KeptItem) -> Bool { item.outcome.map(isOpen) ?? false }

  /// Whether the person still has to deal with the item, because it failed or is in conflict.
  static func isOpen(_ outcome: ItemOutcome) -> Bool { outcome.state == .failed || outcome.state == .conflict }

  /// Items that failed or wait for a decision, those that came first before the others, with their words.
  func failed(_ size: Int32, _ token: String, _ words: ItemWords) throws -> (items: [ItemOutcome], next: String) {
    let page = try PageRequest(size: size, token: token)
    let (items, next) = try ItemStore.failed(of: accounts, page, mostBytes: DownloadPage.mostBytes, snapshot)
    return (items.compactMap(UploadRules.told).map(words.filled), next)
  }
}
