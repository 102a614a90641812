internal import Base

/// Names a row to verify by its table and key, and the stream of the events that commit to it.
public struct CommittedRow: Sendable {
  let table: String
  let key: [Value]
  /// nil for a row of a table each of whose rows has a stream of its own.
  let stream: String?
  /// Whether the row may be missing, provided that the log says so.
  let mayBeAbsent: Bool

  public init<each Key: Storable>(_ table: String, _ key: repeat each Key, in stream: String) {
    self.init(table, Self.values(repeat each key), stream)
  }

  /// A row of a table each of whose rows has a stream of its own. The row may be missing: it is also verified whether
  /// there must be one.
  public init<each Key: Storable>(_ table: String, _ key: repeat each Key) {
    self.init(table, Self.values(repeat each key), nil)
  }

  private init(_ table: String, _ key: [Value], _ stream: String?) {
    (self.table, self.key, self.stream, mayBeAbsent) = (table, key, stream, stream == nil)
  }

  /// An item of the vault. Any event of its transaction may commit to it. The item may be missing.
  init(item: String, of subject: Subject) {
    table = "storage_vault_items"
    key = [.text(subject.id), .text(item)]
    (stream, mayBeAbsent) = (RowChange.ownEvent, true)
  }

  private static func values<each Key: Storable>(_ key: repeat each Key) -> [Value] {
    var values: [Value] = []
    for part in repeat each key { values.append(part.storedValue) }
    return values
  }
}

extension Snapshot {
  /// Compares rows with what the newest events about them committed to, and these events with the signed tree. Throws
  /// `.corrupt` if a row was changed by other means, so that nothing is answered from it.
  ///
  /// The newest event about a row is found by the signed map of rows and in the events after those that the map covers.
  /// If somebody has removed the newest events together with their changes of rows, this process notices that only if
  /// it has seen the events; otherwise it takes `Database.check` with heads that were kept elsewhere.
  ///
  /// Without signed heads there is no map, and the newest event about a row is searched in its stream.
  public func verify(_ rows: [CommittedRow]) throws(DatabaseError) {
    guard !hasRowMap else {
      var mapped = try MappedRows(rows, in: self)
      return try mapped.verify()
    }
    try verifySeen()
    var open: [String: [SoughtRow]] = [:]
    for row in rows {
      if let stream = row.stream {
        let sought = try SoughtRow(row, self)
        // A row that this transaction has changed is compared with the hash to which its event is going to commit.
        guard changed(row.table, sought.key)?.digest != sought.digest else { continue }
        open[stream, default: []].append(sought)
      } else {
        try OwnStream(row, self).verify()
      }
    }
    for (stream, sought) in open.sorted(by: { $0.key < $1.key }) {
      let search = RowSearch(snapshot: self)
      let left = try search.settle(sought, in: stream, from: Int64.max, downTo: 0)
      // Rows that existed when their table's coverage was declared or changed were committed to by events in Storage's
      // own stream.
      for row in left { try search.settleElsewhere(row, besides: stream) }
    }
  }
}

extension Snapshot {
  /// A verified row, with its key and the columns that are committed to; nil if there is none, and there may be none.
  public func verified(_ row: CommittedRow) throws(DatabaseError) -> Row? { try verified([row])[0] }

  /// Many such rows.
  func verified(_ rows: [CommittedRow]) throws(DatabaseError) -> [Row?] {
    guard hasRowMap else {
      try verify(rows)
      var stored: [Row?] = []
      for row in rows {
        let reading = RowReading(table: try coverage(of: row), connection: connection)
        stored.append(try reading.stored(of: tenant, key: row.key))
      }
      return stored
    }
    var mapped = try MappedRows(rows, in: self)
    try mapped.verify()
    return mapped.stored
  }

  /// Whether rows are verified by a signed map, so that any row can be verified quickly, whatever its stream and the
  /// number of events. True only if heads are signed.
  public var hasRowMap: Bool { !context.trusted.isEmpty }

  func coverage(of row: CommittedRow) throws(DatabaseError) -> TableCoverage {
    guard let listed = context.schema.committedTable(named: row.table), listed.key.count == row.key.count,
      listed.isRowByRow == (row.stream == nil)
    else {
      throw DatabaseError(.badStatement, "table '\(row.table)' is not committed to so, or has another key")
    }
    return listed
  }
}

/// A row as it is stored now, and the newest event that was found to commit to other contents of it; 0 for none.
private struct SoughtRow {
  let wanted: CommittedRow
  let table: String
  let key: [UInt8]
  let digest: Digest
  var newest: Int64 = 0

  init(_ row: CommittedRow, _ snapshot: Snapshot) throws(DatabaseError) {
    let listed = try snapshot.coverage(of: row)
    (wanted, table, key) = (row, row.table, RowChange.key(row.key))
    let reading = RowReading(table: listed, connection: snapshot.connection)
    guard let found = try reading.digest(of: snapshot.tenant, key: row.key) else {
      throw DatabaseError(
        .corrupt, "tenant '\(snapshot.tenant)': \(RowChange.title(of: key, in: row.table)) is gone")
    }
    digest = found
  }
}

/// Searches the events that commit to rows, the newest first.
private struct RowSearch {
  let snapshot: Snapshot

  private static let page = 32
  /// How often a row is read again because others may be changing it meanwhile.
  private static let attempts = 5

  /// Verifies rows by the events of a stream. Returns the rows about which the stream says nothing or something else.
  func settle(
    _ sought: [SoughtRow], in stream: String, from last: Int64, downTo first: Int64
  ) throws(DatabaseError) -> [SoughtRow] {
    var (open, others) = (sought, [SoughtRow]())
    var end = last
    while !open.isEmpty {
      let rows = try snapshot.all(EventStatements.committingBefore, stream, end, first, Self.page)
      for row in rows {
        let event = try snapshot.event(in: row)
        end = event.sequence
        guard let changes = RowChange.list(event.changes) else { throw altered("what event \(end) commits to") }
        for change in changes {
          guard let index = open.firstIndex(where: { $0.table == change.table && $0.key == change.key }) else {
            continue
          }
          var found = open.remove(at: index)
          if change.digest == found.digest {
            try snapshot.verify(event)
          } else {
            found.newest = event.sequence
            others.append(found)
          }
        }
      }
      if rows.count < Self.page { break }
    }
    return open + others
  }

  /// Verifies a row by the events in Storage's own stream. Throws if no event commits to the row's present contents.
  ///
  /// - Parameter stream: the stream in which the row was searched before.
  func settleElsewhere(_ row: SoughtRow, besides stream: String) throws(DatabaseError) {
    var row = row
    let title = RowChange.title(of: row.key, in: row.table)
    for _ in 0..<Self.attempts {
      let left = try settle([row], in: RowChange.ownEvent, from: Int64.max, downTo: row.newest)
      guard let left = left.first else { return }
      // In a transaction each statement sees what was committed before it, so the event may be newer than the row.
      let again = try SoughtRow(row.wanted, snapshot)
      guard again.digest != row.digest else {
        let newest = max(left.newest, row.newest)
        throw altered(
          newest == 0 ? "\(title), of which no event tells," : "\(title), to which event \(newest) commits,")
      }
      guard let open = try settle([again], in: stream, from: Int64.max, downTo: 0).first else { return }
      row = open
    }
    throw DatabaseError(.serializationFailure, "\(title) is changed by others all the time")
  }

  private func altered(_ what: String) -> DatabaseError {
    DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': \(what) is not what was committed to: it was altered")
  }
}

extension Snapshot {
  /// Verifies an event against the newest signed head or, if no head covers it yet, against its predecessor's hash.
  func verify(_ event: Event) throws(DatabaseError) {
    let known = context.verifiedNodes
    let leaf = event.leaf(of: tenant)
    if let hash = known.hash(of: MerkleNode(level: 0, position: event.sequence - 1), tenant) {
      guard hash == leaf else { throw altered(event) }
      return
    }
    // The head is verified before its size is noted, so that a forged row cannot make genuine heads look too small.
    let row = try first(TreeStatements.newestHead)
    let head = try row.map { row throws(DatabaseError) in try verifiedHead(row).checkpoint }
    guard known.noteHead(of: head?.size ?? 0, by: self) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': its newest signed heads are gone")
    }
    guard let head, event.sequence <= head.size else { return try verifyChain(of: event) }
    try climb(from: leaf, of: event, to: head)
  }

  /// The head in a row. If there are trusted keys, one of them must have signed it.
  private func verifiedHead(_ row: Row) throws(DatabaseError) -> SignedCheckpoint {
    let name = "/\(context.schema.name)/\(tenant)"
    if let head = context.verifiedHeads.head(try row.get("checkpoint"), named: name, by: context.trusted),
      head.checkpoint.size == (try row.get("size"))
    {
      return head
    }
    let head = try signedHead(row)
    guard context.trusted.isEmpty else {
      throw DatabaseError(
        .corrupt, "tenant '\(tenant)': the signed head of \(head.checkpoint.size) events is not signed by this service")
    }
    return head
  }

  /// Computes hashes from the event's leaf upwards, until one can be compared with a node that was verified before, or
  /// the root with the head's.
  private func climb(from leaf: Digest, of event: Event, to head: Checkpoint) throws(DatabaseError) {
    let known = context.verifiedNodes
    var (node, hash) = (MerkleNode(level: 0, position: event.sequence - 1), leaf)
    var path = [(node, hash)]
    while node.position >> 1 < head.size >> Int64(node.level + 1) {
      let sibling = MerkleNode(level: node.level, position: node.position ^ 1)
      let other = try treeNode(sibling)
      hash = node.position & 1 == 1 ? MerkleTree.parent(other, hash) : MerkleTree.parent(hash, other)
      node = MerkleNode(level: node.level + 1, position: node.position >> 1)
      path += [(sibling, other), (node, hash)]
      if let earlier = known.hash(of: node, tenant) {
        guard earlier == hash else { throw altered(event) }
        return known.add(path, tenant)
      }
    }
    let (top, topHash) = (node, hash)
    let root = try MerkleTree.root(of: head.size) { node throws(DatabaseError) in
      if node == top { return topHash }
      let hash = try treeNode(node)
      path.append((node, hash))
      return hash
    }
    guard root == head.root else { throw altered(event) }
    known.add(path, tenant)
  }

  private func verifyChain(of event: Event) throws(DatabaseError) {
    let previous = event.sequence == 1 ? Event.beginning : try self.event(event.sequence - 1)?.chain
    guard let previous, event.chain(after: previous, of: tenant) == event.chain else { throw altered(event) }
  }

  func altered(_ event: Event) -> DatabaseError {
    DatabaseError(
      .corrupt, "tenant '\(tenant)': event \(event.sequence) is not the one that was written: it was altered")
  }
}
