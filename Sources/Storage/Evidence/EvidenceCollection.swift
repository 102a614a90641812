internal import Base

extension EvidenceSigner {
  /// Collects the evidence for a selection from a tenant's log, under a head that is signed now.
  ///
  /// Everything is verified before it is handed out, so data that were tampered with lead to an error and not to
  /// evidence. A statement signed with it says what was handed out, so that nobody can take anything out unnoticed.
  public func evidence(of tenant: Tenant, _ selection: EvidenceSelection) async throws -> EvidenceLog {
    for _ in 0..<Self.mostAttempts {
      // Taken first, so that everything that was recorded before is covered.
      let now = database.context.clock.now
      try await sign(tenant)
      let log: EvidenceLog? = try await database.scope(tenant).read(within: .seconds(60)) { snapshot in
        guard let head = try snapshot.signedHead() else {
          throw DatabaseError(.unexpectedRow, "the log of tenant '\(tenant)' has no events")
        }
        var collection = EvidenceCollection(
          snapshot: snapshot, log: EvidenceLog(tenant: tenant, head: head))
        do {
          try collection.add(selection)
        } catch is RowHasMovedOn {
          return nil
        }
        return collection.log
      }
      if let log { return stated(log, at: now) }
    }
    throw DatabaseError(.serializationFailure, "the rows changed each time that their log had been signed")
  }

  private static let mostAttempts = 8

  /// Adds the signed statement of what is shown.
  private func stated(_ log: EvidenceLog, at time: Instant) -> EvidenceLog {
    var log = log
    log.shownAt = time
    let statement = ShownStatement(
      log: log.head.checkpoint, at: time, events: log.events.map(\.event.sequence), rows: log.rows,
      commitments: log.commitments, contents: log.contents.map { ($0.name, Digest(of: $0.bytes)) })
    log.shown = statement.checkpoint.signed(by: key.key).note
    return log
  }
}

/// A row was changed after the log's head had been signed. The caller signs the log again and retries.
private struct RowHasMovedOn: Error {}

/// Collects evidence within one snapshot.
private struct EvidenceCollection {
  let snapshot: Snapshot
  var log: EvidenceLog
  private var sequences: Set<Int64> = []
  private var wanted: [WantedRow] = []

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
    for subject in selection.subjects { try addCommitments(of: subject) }
    try addWantedRows(in: selection)
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
    // The row and its event prove that the digest was on record from the beginning, whether or not the service's own
    // events mention it.
    try addRow("storage_vault_commitments", [.text(id)])
  }

  /// Adds the person's commitments whose digests stand in the selected events and, if the person was erased, the event
  /// of the erasure.
  private mutating func addCommitments(of subject: Subject) throws {
    if try snapshot.vault.isErased(subject) { try addErasure(of: subject.id) }
    let known = Set(log.commitments.map(\.id))
    let payloads = try sequences.compactMap { try snapshot.event($0)?.payload }
    for row in try snapshot.all(VaultStatements.commitments, subject.id) {
      let (id, digest): (String, Digest) = (try row.get("id"), try row.get("digest"))
      let forms = [digest.bytes, Array(digest.hex.utf8)]
      guard !known.contains(id), payloads.contains(where: { bytes in forms.contains { bytes.contains($0) } }) else {
        continue
      }
      try addCommitment(id)
    }
  }

  /// Selects the event that records the erasure of a subject.
  private mutating func addErasure(of subject: String) throws {
    try snapshot.each(EventStatements.ofStreamAfter, VaultRecord.stream, 0, Int64.max) { row in
      let event = try snapshot.event(in: row)
      if event.erasedSubject == subject { sequences.insert(event.sequence) }
    }
  }

  private mutating func addRow(_ name: String, _ key: [Value]) throws {
    let table = try snapshot.coverage(of: name, key: key)
    let reading = RowReading(table: table, connection: snapshot.connection)
    guard let row = try reading.row(of: snapshot.tenant, key: key) else { throw altered(name) }
    let state = RowState(table: name, key: row.key, digest: row.digest)
    wanted.append(WantedRow(table: table, state: state, columns: row.columns))
  }

  /// Adds the wanted rows as they are now, and selects the newest event that commits to each.
  private mutating func addWantedRows(in selection: EvidenceSelection) throws {
    var newest = NewestChanges(of: wanted.map(\.state), snapshot)
    for stream in selection.streams + selection.searched { try newest.search(stream) }
    for row in wanted {
      if newest[row.state]?.digest != row.state.digest { try newest.searchLog(for: row.state) }
      guard let logged = newest[row.state], logged.digest == row.state.digest else { throw altered(row.table.name) }
      // An event after the head has changed the row.
      guard logged.event <= size else { throw RowHasMovedOn() }
      sequences.insert(logged.event)
      log.rows.append(
        EvidenceLog.CommittedRow(
          event: logged.event, table: row.table.name, key: row.columns.prefix(row.table.key.count).map(\.self),
          columns: row.columns.dropFirst(row.table.key.count).map(\.self)))
    }
  }

  private func altered(_ table: String) -> DatabaseError {
    DatabaseError(.corrupt, "table '\(table)': the row is not what was committed to")
  }
}

/// A row for the bundle, whose event has to be found.
private struct WantedRow {
  let table: TableCoverage
  let state: RowState
  let columns: [EvidenceLog.Column]
}

extension Event {
  /// The subject of an event that records an erasure; nil for any other event.
  var erasedSubject: String? {
    guard type == VaultRecord.erased.rawValue, case .object(let members)? = try? EvidenceJSON(reading: payload),
      case .text(let subject)? = members.first(where: { $0.name == "subject" })?.value
    else { return nil }
    return subject
  }
}
