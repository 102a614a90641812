internal import Base

/// Adds events to a log's map of rows, for a signer.
///
/// Before it signs a new root, it verifies each page that it changes against the root that was signed before.
struct RowMapGrowth {
  private let transaction: Transaction
  private let origin: String
  private let key: SigningKey
  /// How many events the map covers.
  private(set) var size: Int64 = 0
  /// The signed root; nil before the map has one.
  private var root: Digest?

  init(_ transaction: Transaction, origin: String, key: SigningKey) throws {
    (self.transaction, self.key) = (transaction, key)
    self.origin = Checkpoint.rowMapOrigin(origin)
    guard let row = try transaction.first(RowMapStatements.head) else { return }
    let head: SignedCheckpoint
    do throws(EvidenceProblem) {
      head = try SignedCheckpoint(note: (try? row.get("checkpoint", as: String.self)) ?? "")
    } catch {
      throw rewritten("the head of its map of rows is none")
    }
    guard head.checkpoint.origin == self.origin, head.isSigned(byOneOf: [key.verifyingKey]),
      head.checkpoint.size == (try row.get("size"))
    else { throw rewritten("the head of its map of rows was not signed by this key in its name") }
    (size, root) = (head.checkpoint.size, head.checkpoint.root)
  }

  /// Adds verified events, beginning with the first that the map does not cover, and signs the new root.
  mutating func add(_ events: [Event]) throws {
    guard let last = events.last else { return }
    var newest: [RowName: Int64] = [:]
    for event in events {
      guard let changes = RowChange.list(event.changes) else { throw transaction.altered(event) }
      for change in changes { newest[RowName(table: change.table, key: change.key)] = event.sequence }
    }
    let entries = newest.map { RowPage.Entry(name: $0.key, event: $0.value) }.sorted { $0.name < $1.name }
    var pages: [(prefix: RowPrefix, page: RowPage)] = []
    let changed: Digest
    if let root {
      let known = try RowPages(to: entries.map(\.name), under: root, in: transaction)
      changed = entries.isEmpty ? root : Self.merge(entries[...], at: .root, known) { pages.append(($0, $1)) }
    } else {
      // Pages may be left of a map whose head was removed.
      try transaction.run(RowMapStatements.removePages)
      changed = RowPage.build(entries[...], at: .root) { pages.append(($0, $1)) }
    }
    for (prefix, page) in pages {
      try transaction.connection.runLater(
        RowMapStatements.putPage.query, transaction.arguments(prefix.text, page.bytes))
    }
    let head = Checkpoint(origin: origin, size: last.sequence, root: changed).signed(by: key)
    try transaction.run(RowMapStatements.putHead, last.sequence, head.note)
    (size, root) = (last.sequence, changed)
  }

  /// Adds up to `step` of the events that are signed but not in the map, because the map is new or was removed.
  mutating func catchUp(to signed: Int64, step: Int) throws {
    let events = try transaction.events(after: size, limit: step).filter { $0.sequence <= signed }
    var chain = Event.beginning
    if size > 0 {
      guard let before = try transaction.event(size) else { throw rewritten("event \(size) is missing") }
      chain = before.chain
    }
    for (offset, event) in events.enumerated() {
      guard event.sequence == size + 1 + Int64(offset), event.chain == event.chain(after: chain, of: transaction.tenant)
      else { throw rewritten("event \(size + 1 + Int64(offset)) does not follow its predecessor") }
      chain = event.chain
    }
    guard let last = events.last else { throw rewritten("event \(size + 1) is missing") }
    // The last event's hash covers all events before it.
    try transaction.verify(last)
    try add(events)
  }

  /// Adds entries to the page at a prefix and the pages below it. Calls `put` with each changed page, and returns the
  /// hash of the one at the prefix.
  ///
  /// - Parameter entries: at least one, in the order of their names.
  private static func merge(
    _ entries: ArraySlice<RowPage.Entry>, at prefix: RowPrefix, _ known: RowPages, put: (RowPrefix, RowPage) -> Void
  ) -> Digest {
    switch known[prefix] {
    case .branch(var children):
      for (digit, group) in entries.groups(at: prefix.depth, \.name) {
        let child = prefix.child(digit)
        children[digit] =
          children[digit] == nil
          ? RowPage.build(group, at: child, put: put) : merge(group, at: child, known, put: put)
      }
      let page = RowPage.branch(children)
      put(prefix, page)
      return page.digest
    case .leaf(let older):
      let names = Set(entries.map(\.name))
      let all = (older.filter { !names.contains($0.name) } + entries).sorted { $0.name < $1.name }
      return RowPage.build(all[...], at: prefix, put: put)
    case nil: return RowPage.build(entries, at: prefix, put: put)
    }
  }

  private func rewritten(_ detail: String) -> DatabaseError {
    DatabaseError(.corrupt, "the log of tenant '\(transaction.tenant)' is not signed: \(detail)")
  }
}
