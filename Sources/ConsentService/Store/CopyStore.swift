internal import Base
internal import ConsentContract
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signed copies: the state of each, and its sealed file in the vault.
enum CopyStore {
  /// The statements for one of the two tables.
  private struct Table {
    let name: String
    let put, find, lock, named: Statement

    init(_ name: String, _ word: String) {
      self.name = name
      put = Statement(
        "\(word).put",
        "INSERT INTO \(name) (tenant, record_id, code, state, body) VALUES ({tenant}, ?, ?, ?, ?) "
          + "ON CONFLICT (tenant, record_id) DO UPDATE SET state = excluded.state, body = excluded.body")
      find = Statement("\(word).find", "SELECT body FROM \(name) WHERE tenant = {tenant} AND record_id = ?")
      lock = Statement("\(word).lock", "SELECT body FROM \(name) WHERE tenant = {tenant} AND record_id = ? FOR UPDATE")
      named = Statement("\(word).named", "SELECT body FROM \(name) WHERE tenant = {tenant} AND code = ?")
    }

    var statements: [Statement] { [put, find, lock, named] }
  }

  private static let whole = Table("signed_copies", "copy")
  private static let participants = Table("participant_copies", "participant-copy")

  static let statements = whole.statements + participants.statements

  private static func table(_ part: CopyName.Part) -> Table { part == .whole ? whole : participants }

  /// The name of the vault's item that holds a copy's sealed file.
  static func item(_ name: CopyName) -> String { "copy/\(name)" }

  static func copy(of name: CopyName, _ snapshot: Snapshot) throws -> StoredCopy? {
    try snapshot.first(table(name.part).find, name.recordID)?.message("body")
  }

  static func locked(_ name: CopyName, _ transaction: Transaction) throws -> StoredCopy? {
    try transaction.first(table(name.part).lock, name.recordID)?.message("body")
  }

  static func copy(named id: VerificationID, _ snapshot: Snapshot) throws -> (StoredCopy, CopyName.Part)? {
    for part in CopyName.Part.allCases {
      if let row = try snapshot.first(table(part).named, id.code) { return (try row.message("body"), part) }
    }
    return nil
  }

  /// Stores the state of a record's copy, and notes an event about it.
  static func save(
    _ stored: StoredCopy, _ part: CopyName.Part, of record: ConsentRecord, _ transaction: Transaction
  ) throws {
    guard let copy = stored.copy, let id = VerificationID(copy.verificationID) else {
      throw DatabaseError(.corrupt, "the copy of record '\(record.recordID)' has no verification identifier")
    }
    try transaction.run(table(part).put, record.recordID, id.code, Int64(copy.state.number), try stored.encoded())
    try ConcernStore.follow(copy, part, of: record, transaction)
    try transaction.note(
      ConsentEvent(
        kind: .signedCopyChanged, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
        documentID: record.documentID, version: record.documentVersion, sessionID: record.sessionID,
        recordID: record.recordID, hash: copy.hash, note: copy.reason, test: record.test, signedCopy: copy.state,
        participantCopy: part == .participant),
      by: "system")
  }

  /// The newest sealed file, verified against its commitment; nil while there is none. Throws once the subject is
  /// erased.
  static func file(
    of stored: StoredCopy, _ part: CopyName.Part, _ record: ConsentRecord, _ snapshot: Snapshot
  ) throws -> CommittedBytes? {
    guard let last = stored.files.last else { return nil }
    return try snapshot.committed(
      item(CopyName(record.recordID, part)), of: record.subjectID, last.commitment, hash: last.hash)
  }

  /// Keeps the newest sealed file beside those that follow it.
  static func keep(
    _ stored: inout StoredCopy, _ part: CopyName.Part, of record: ConsentRecord, _ transaction: Transaction
  ) throws {
    let place = Int32(stored.files.count) - 1
    guard !stored.kept.contains(place), let file = try file(of: stored, part, record, transaction) else { return }
    let subject = try Subject.stored(record.subjectID)
    try transaction.vault.put(file.bytes, as: keptItem(CopyName(record.recordID, part), place), of: subject)
    stored.kept.append(place)
  }

  /// The sealed file as it was before the printed name was corrected for the `number`th time; nil if there was none.
  static func file(
    of stored: StoredCopy, beforeCorrection number: Int32, _ part: CopyName.Part, _ record: ConsentRecord,
    _ snapshot: Snapshot
  ) throws -> CommittedBytes? {
    guard number >= 1, Int(number) <= stored.kept.count else { return nil }
    let place = stored.kept[Int(number) - 1]
    let file = stored.files[Int(place)]
    return try snapshot.committed(
      keptItem(CopyName(record.recordID, part), place), of: record.subjectID, file.commitment, hash: file.hash)
  }

  private static func keptItem(_ name: CopyName, _ place: Int32) -> String { "\(item(name))/\(place)" }

  /// The sealed file that is valid now; nil while there is none or a new one is being made, and once the subject is
  /// erased.
  static func current(of name: CopyName, _ snapshot: Snapshot) throws -> CurrentCopy? {
    let record = try RecordStore.head(name.recordID, snapshot)
    if try snapshot.vault.isErased(try Subject.stored(record.subjectID)) { return nil }
    guard let stored = try copy(of: name, snapshot), let copy = stored.copy, !copy.isPending else { return nil }
    try snapshot.verify([row(name, of: record)])
    guard let file = try file(of: stored, name.part, record, snapshot) else { return nil }
    return CurrentCopy(name: name, bytes: file.bytes, copy: copy)
  }

  /// Replaces a sealed file by one with the same content and further proofs. The hashes of both stay on record.
  ///
  /// - Returns: false if the subject was erased, or if another job has replaced the file or is making a new one.
  static func replace(
    _ current: CurrentCopy, by bytes: [UInt8], _ level: Level, attestedUntil: Instant? = nil,
    _ transaction: Transaction
  ) throws -> Bool {
    let name = current.name
    let record = try RecordStore.head(name.recordID, transaction)
    let subject = try Subject.stored(record.subjectID)
    guard var stored = try locked(name, transaction), let copy = stored.copy, copy.hash == current.copy.hash,
      !copy.isPending, try !transaction.vault.isErased(subject)
    else { return false }
    let commitment = try transaction.commit(bytes, as: "signed copy", item(name), of: subject)
    stored.files.append(SealedFile(hash: commitment.digest.hex, commitment: commitment.id))
    stored.change { copy in
      (copy.hash, copy.level, copy.reason) = (commitment.digest.hex, level.rawValue, "")
      copy.byteCount = Int32(clamping: bytes.count)
      copy.attestedUntil = attestedUntil.map { Timestamp($0) }
    }
    try save(stored, name.part, of: record, transaction)
    return true
  }

  /// Stores which proof a sealed copy lacks and why, unless the same reason is on record already.
  static func note(_ reason: String, of name: CopyName, _ transaction: Transaction) throws {
    guard var stored = try locked(name, transaction), let copy = stored.copy, !copy.isPending, copy.reason != reason
    else { return }
    stored.change { $0.reason = reason }
    try save(stored, name.part, of: try RecordStore.head(name.recordID, transaction), transaction)
  }

  /// The row of a record's copy, to be verified where the copy is proof.
  static func row(_ name: CopyName, of record: ConsentRecord) -> CommittedRow {
    CommittedRow(table(name.part).name, name.recordID, in: EventStream.subject(record.subjectID))
  }

  /// For each of a record's copies, the table that it is in and the commitments to its files.
  static func evidence(of recordID: String, _ snapshot: Snapshot) throws -> [(table: String, files: [String])] {
    try CopyName.Part.allCases.compactMap { part in
      let stored = try copy(of: CopyName(recordID, part), snapshot)
      return stored.map { (table(part).name, $0.files.map(\.commitment)) }
    }
  }
}

/// A sealed file to which a job adds a proof, as it was when the job began.
struct CurrentCopy: Sendable {
  let name: CopyName
  let bytes: [UInt8]
  let copy: SignedCopy

  var level: Level? { Level(rawValue: copy.level) }
}

extension StoredCopy {
  mutating func change(_ body: (inout SignedCopy) -> Void) {
    var copy = copy ?? SignedCopy()
    body(&copy)
    self.copy = copy
  }
}

extension ConsentRecord {
  /// The record with its copies.
  func withCopies(_ snapshot: Snapshot) throws -> ConsentRecord {
    guard kind != .form else { return self }
    var record = self
    record.signedCopy = try CopyStore.copy(of: CopyName(recordID), snapshot)?.copy
    record.participantCopy = try CopyStore.copy(of: CopyName(recordID, .participant), snapshot)?.copy
    return record
  }
}
