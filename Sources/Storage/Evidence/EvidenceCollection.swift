internal import Base

extension EvidenceSigner {
  /// What a tenant's log has to say about a selection, under a head that is signed now.
  ///
  /// Everything is verified before it is handed out: what was tampered with makes an error, not evidence.
  public func evidence(of tenant: Tenant, _ selection: EvidenceSelection) async throws -> EvidenceLog {
    try await sign(tenant)
    return try await database.scope(tenant).read(within: .seconds(60)) { snapshot in
      guard let head = try snapshot.signedHead() else {
        throw DatabaseError(.unexpectedRow, "the log of tenant '\(tenant)' has no events")
      }
      var collection = EvidenceCollection(snapshot: snapshot, log: EvidenceLog(tenant: tenant, head: head))
      try collection.add(selection)
      return collection.log
    }
  }
}

/// Evidence in the making.
private struct EvidenceCollection {
  let snapshot: Snapshot
  var log: EvidenceLog
  private var sequences: Set<Int64> = []

  private var size: Int64 { log.head.checkpoint.size }

  init(snapshot: Snapshot, log: EvidenceLog) {
    self.snapshot = snapshot
    self.log = log
  }

  mutating func add(_ selection: EvidenceSelection) throws {
    sequences.formUnion(selection.events)
    for stream in selection.streams {
      try snapshot.each(EventStatements.ofStreamAfter, stream, 0, Int64.max) { row in
        sequences.insert(try row.get("sequence"))
      }
    }
    for id in selection.commitments { try addCommitment(id) }
    for (table, key) in selection.rows { try addRow(table, key) }
    log.contents = selection.contents.map { EvidenceLog.Content(name: $0.name, bytes: $0.bytes) }
    for sequence in sequences.filter({ $0 <= size }).sorted() { try addEvent(sequence) }
    for head in selection.earlier { try addEarlier(head) }
  }

  private mutating func addEvent(_ sequence: Int64) throws {
    guard let event = try snapshot.event(sequence) else {
      throw DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': event \(sequence) is missing")
    }
    let proof = try MerkleTree.inclusion(of: sequence - 1, in: size) { node throws(DatabaseError) in
      try snapshot.treeNode(node)
    }
    let leaf = event.leaf(of: snapshot.tenant)
    guard MerkleTree.root(of: leaf, at: sequence - 1, in: size, by: proof) == log.head.checkpoint.root else {
      throw DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': event \(sequence) is not the one that was signed")
    }
    log.events.append(EvidenceLog.ProvenEvent(event: event, proof: proof))
  }

  private mutating func addEarlier(_ head: SignedCheckpoint) throws {
    let old = head.checkpoint
    let proof = try MerkleTree.consistency(from: old.size, to: size) { node throws(DatabaseError) in
      try snapshot.treeNode(node)
    }
    let root = log.head.checkpoint.root
    guard old.origin == log.head.checkpoint.origin,
      MerkleTree.isConsistent(old.size, old.root, size, root, by: proof)
    else {
      throw DatabaseError(
        .corrupt, "tenant '\(snapshot.tenant)': the log does not continue the head of \(old.size) events")
    }
    log.earlier.append(EvidenceLog.Earlier(note: head.note, proof: proof))
  }

  private mutating func addCommitment(_ id: String) throws {
    guard let row = try snapshot.first(VaultStatements.commitment, id) else {
      throw DatabaseError(.unexpectedRow, "there is no commitment '\(id)'")
    }
    let name: String = try row.get("subject")
    var opening: Commitment.Opening?
    do throws(DatabaseError) {
      opening = try snapshot.vault.opening(of: id)
    } catch {
      guard error.code == .erased else { throw error }
      try addErasure(of: name)
    }
    log.commitments.append(
      EvidenceLog.OpenedCommitment(
        id: id, subject: name, label: try row.get("label"), digest: try row.get("digest"), opening: opening))
    // The row shows that the digest was on record from the beginning, whatever the service's own events say of it.
    try addRow("storage_vault_commitments", [.text(id)])
  }

  /// The event that tells of an erasure.
  private mutating func addErasure(of subject: String) throws {
    try snapshot.each(EventStatements.ofStreamAfter, VaultRecord.stream, 0, Int64.max) { row in
      let event = try Event(row: row)
      if event.erasedSubject == subject { sequences.insert(event.sequence) }
    }
  }

  /// A row as it is, with the newest event that commits to it.
  private mutating func addRow(_ name: String, _ key: [Value]) throws {
    let coverage = OwnCoverage.tables + snapshot.context.schema.coverage
    guard let table = coverage.first(where: { $0.name == name }), table.isCommitted, table.key.count == key.count else {
      throw DatabaseError(.badStatement, "table '\(name)' is not committed to, or has another key")
    }
    let rows = try RowReading(table: table, connection: snapshot.connection).rows(of: snapshot.tenant, key: key)
    let encodedKey = RowChange.key(key)
    var newest: (sequence: Int64, change: RowChange)?
    try snapshot.each(EventStatements.after, 0, Int64.max) { row in
      guard let bytes = try row.get("changes", as: [UInt8]?.self), let changes = RowChange.list(bytes) else { return }
      for change in changes where change.table == name && change.key == encodedKey {
        newest = (try row.get("sequence"), change)
      }
    }
    guard let row = rows.first, let newest, newest.sequence <= size, newest.change.digest == row.digest else {
      throw DatabaseError(.corrupt, "table '\(name)': the row is not what was committed to")
    }
    sequences.insert(newest.sequence)
    log.rows.append(
      EvidenceLog.CommittedRow(
        event: newest.sequence, table: name, key: row.columns.prefix(table.key.count).map(\.self),
        columns: row.columns.dropFirst(table.key.count).map(\.self)))
  }
}

extension Event {
  /// Whose erasure this event tells of; nil for any other event.
  var erasedSubject: String? {
    guard type == VaultRecord.erased.rawValue, case .object(let members)? = try? EvidenceJSONReader.read(payload),
      case .text(let subject)? = members.first(where: { $0.name == "subject" })?.value
    else { return nil }
    return subject
  }
}
