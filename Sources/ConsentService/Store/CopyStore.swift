internal import Base
internal import ConsentContract
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signed copies: how far each is, and the sealed file in the vault.
enum CopyStore {
  private static let put = Statement(
    "copy.put",
    "INSERT INTO signed_copies (tenant, record_id, code, state, body) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, record_id) DO UPDATE SET state = excluded.state, body = excluded.body")
  private static let find = Statement(
    "copy.find", "SELECT body FROM signed_copies WHERE tenant = {tenant} AND record_id = ?")
  private static let lock = Statement(
    "copy.lock", "SELECT body FROM signed_copies WHERE tenant = {tenant} AND record_id = ? FOR UPDATE")
  private static let named = Statement(
    "copy.named", "SELECT body FROM signed_copies WHERE tenant = {tenant} AND code = ?")

  static let statements = [put, find, lock, named]

  /// The vault's item for a record's sealed file.
  static func item(_ recordID: String) -> String { "copy/\(recordID)" }

  static func copy(of recordID: String, _ snapshot: Snapshot) throws -> StoredCopy? {
    try snapshot.first(find, recordID)?.message("body")
  }

  static func locked(_ recordID: String, _ transaction: Transaction) throws -> StoredCopy? {
    try transaction.first(lock, recordID)?.message("body")
  }

  static func copy(named id: VerificationID, _ snapshot: Snapshot) throws -> StoredCopy? {
    try snapshot.first(named, id.code)?.message("body")
  }

  /// Stores how far a record's copy is, with the event that says so.
  static func save(_ stored: StoredCopy, of record: ConsentRecord, _ transaction: Transaction) throws {
    guard let copy = stored.copy, let id = VerificationID(copy.verificationID) else {
      throw DatabaseError(.corrupt, "the copy of record '\(record.recordID)' has no verification identifier")
    }
    try transaction.run(put, record.recordID, id.code, Int64(copy.state.number), try stored.encoded())
    try transaction.note(
      ConsentEvent(
        kind: .signedCopyChanged, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
        documentID: record.documentID, version: record.documentVersion, sessionID: record.sessionID,
        recordID: record.recordID, hash: copy.hash, note: copy.reason, test: record.test, signedCopy: copy.state),
      by: "system")
  }

  /// The sealed file, verified against its commitment; nil while there is none. Refused once the subject is erased.
  static func file(of stored: StoredCopy, _ record: ConsentRecord, _ snapshot: Snapshot) throws -> CommittedBytes? {
    guard let last = stored.files.last else { return nil }
    return try snapshot.committed(
      item(record.recordID), of: record.subjectID, last.commitment, hash: last.hash)
  }

  /// The file as it is now; nil while there is none, or once the subject is erased.
  static func current(of recordID: String, _ snapshot: Snapshot) throws -> CurrentCopy? {
    let record = try RecordStore.head(recordID, snapshot)
    if try snapshot.vault.isErased(try Subject.checked(record.subjectID)) { return nil }
    guard let stored = try verified(record, snapshot), let copy = stored.copy,
      let file = try file(of: stored, record, snapshot)
    else { return nil }
    return CurrentCopy(recordID: recordID, bytes: file.bytes, copy: copy)
  }

  /// Puts a file in the place of a record's sealed one that says the same, with more to prove it; both stay known.
  ///
  /// - Returns: false once the subject is erased, and where another job put a file in its place meanwhile.
  static func replace(
    _ current: CurrentCopy, by bytes: [UInt8], _ level: Level, attestedUntil: Instant? = nil,
    _ transaction: Transaction
  ) throws -> Bool {
    let recordID = current.recordID
    let record = try RecordStore.head(recordID, transaction)
    let subject = try Subject.checked(record.subjectID)
    guard var stored = try locked(recordID, transaction), stored.copy?.hash == current.copy.hash,
      try !transaction.vault.isErased(subject)
    else { return false }
    let commitment = try transaction.commit(bytes, as: "signed copy", item(recordID), of: subject)
    stored.files.append(SealedFile(hash: commitment.digest.hex, commitment: commitment.id))
    stored.change { copy in
      (copy.hash, copy.level, copy.reason) = (commitment.digest.hex, level.rawValue, "")
      copy.byteCount = Int32(clamping: bytes.count)
      copy.attestedUntil = attestedUntil.map { Timestamp($0) }
    }
    try save(stored, of: record, transaction)
    return true
  }

  /// Puts on record what a sealed copy lacks, if that is something else than before.
  static func note(_ reason: String, of recordID: String, _ transaction: Transaction) throws {
    guard var stored = try locked(recordID, transaction), let copy = stored.copy, copy.reason != reason else { return }
    stored.change { $0.reason = reason }
    try save(stored, of: try RecordStore.head(recordID, transaction), transaction)
  }

  static func verify(_ stored: [StoredCopy], of record: ConsentRecord, _ snapshot: Snapshot) throws {
    try snapshot.verify(
      stored.map { CommittedRow("signed_copies", $0.recordID, in: EventStream.subject(record.subjectID)) })
  }

  /// The copy of a record, as it was written; nil for a record that has none.
  static func verified(_ record: ConsentRecord, _ snapshot: Snapshot) throws -> StoredCopy? {
    guard let stored = try copy(of: record.recordID, snapshot) else { return nil }
    try verify([stored], of: record, snapshot)
    return stored
  }
}

/// A sealed file that is to be proven further, as it was when a job began with it.
struct CurrentCopy: Sendable {
  let recordID: String
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
