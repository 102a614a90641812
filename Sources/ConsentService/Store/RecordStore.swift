internal import Base
internal import Storage
internal import Wire

/// What records are looked for by; empty and zero mean all.
struct RecordQuery: Sendable {
  var studyID: String
  var siteID = ""
  var subjectID = ""
  var documentID = ""
  var documentVersion: Int32 = 0
  var state = RecordState.unspecified
  var from: Int64 = 0
  var until: Int64 = 0
  var isTest = false
}

/// Records: a head that is replaced, a history that is only added to, and secrets in the vault.
enum RecordStore {
  private static let put = Statement(
    "record.put",
    """
    INSERT INTO records (tenant, id, study_id, site_id, subject_id, session_id, document_id, document_version, state,
      decided_ms, test, body)
    VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state, body = excluded.body
    """)
  private static let addEntry = Statement(
    "record.entry.add",
    "INSERT INTO record_entries (tenant, record_id, sequence, body) VALUES ({tenant}, ?, ?, ?)")
  private static let find = Statement("record.find", "SELECT body FROM records WHERE tenant = {tenant} AND id = ?")
  private static let entries = Statement(
    "record.entries", "SELECT body FROM record_entries WHERE tenant = {tenant} AND record_id = ? ORDER BY sequence")
  private static let ofSubject = Statement(
    "record.subject", "SELECT body FROM records WHERE tenant = {tenant} AND subject_id = ? ORDER BY decided_ms, id")
  private static let ofSession = Statement(
    "record.session", "SELECT id FROM records WHERE tenant = {tenant} AND session_id = ? ORDER BY decided_ms, id")
  private static let list = Statement(
    "record.list",
    """
    SELECT decided_ms, id, body FROM records
    WHERE tenant = {tenant} AND study_id = ? AND test = ? AND decided_ms >= ? AND decided_ms < ?
      AND (? = '' OR site_id = ?) AND (? = '' OR subject_id = ?) AND (? = '' OR document_id = ?)
      AND (? = 0 OR document_version = ?) AND (? = 0 OR state = ?) AND {after decided_ms, id}
    ORDER BY decided_ms, id LIMIT {limit}
    """)
  private static let countStates = Statement(
    "record.counts",
    """
    SELECT state, COUNT(*) AS amount FROM records
    WHERE tenant = {tenant} AND document_id = ? AND document_version = ? AND test = ? GROUP BY state
    """)
  private static let putShown = Statement(
    "shown.put",
    "INSERT INTO shown (tenant, hash, content_type, content) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, hash) DO NOTHING")
  private static let findShown = Statement(
    "shown.find", "SELECT content_type, content FROM shown WHERE tenant = {tenant} AND hash = ?")
  private static let putTask = Statement(
    "task.put",
    "INSERT INTO signing_tasks (tenant, record_id, signature_id, study_id, since_ms, body) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?) ON CONFLICT (tenant, record_id, signature_id) DO NOTHING")
  private static let removeTasks = Statement(
    "task.remove", "DELETE FROM signing_tasks WHERE tenant = {tenant} AND record_id = ?")
  private static let tasks = Statement(
    "task.list",
    "SELECT since_ms, record_id, signature_id, body FROM signing_tasks WHERE tenant = {tenant} AND study_id = ? "
      + "AND {after since_ms, record_id, signature_id} ORDER BY since_ms, record_id, signature_id LIMIT {limit}")

  static let statements = [
    put, addEntry, find, entries, ofSubject, ofSession, list, countStates, putShown, findShown, putTask, removeTasks,
    tasks,
  ]

  static func secretsItem(_ id: String) -> String { "record/\(id)" }

  /// Stores a record's head and the entries that it has beyond the `known` first ones. Reasons go to the vault.
  static func save(_ record: ConsentRecord, known: Int = 0, _ transaction: Transaction) throws {
    var head = record
    head.history = []
    head.signatures = head.signatures.map { signature in
      var plain = signature
      plain.printedName = ""
      return plain
    }
    try transaction.run(
      put, record.id, record.studyID, record.siteID, record.subjectID, record.sessionID, record.documentID,
      Int64(record.documentVersion), Int64(record.state.number), record.decidedAtMs, record.test, try head.encoded())
    var reasons: [EntryReason] = []
    for entry in record.history.dropFirst(known) {
      var plain = entry
      if !entry.reason.isEmpty { reasons.append(EntryReason(sequence: entry.sequence, reason: entry.reason)) }
      plain.reason = ""
      try transaction.run(addEntry, record.id, Int64(entry.sequence), try plain.encoded())
    }
    guard !reasons.isEmpty else { return }
    var secrets = try self.secrets(record.id, of: record.subjectID, transaction)
    secrets.reasons += reasons
    try saveSecrets(secrets, of: record, transaction)
  }

  static func saveSecrets(_ secrets: RecordSecrets, of record: ConsentRecord, _ transaction: Transaction) throws {
    let subject = try Subject.checked(record.subjectID)
    try transaction.vault.put(try secrets.encoded(), as: secretsItem(record.id), of: subject)
  }

  /// What the vault holds for a record; nothing once the subject is erased.
  static func secrets(_ id: String, of subjectID: String, _ snapshot: Snapshot) throws -> RecordSecrets {
    do {
      return try RecordSecrets(decoding: try snapshot.personal(secretsItem(id), of: subjectID) ?? [])
    } catch let refusal as Refusal where refusal.rule == "subject_erased" {
      return RecordSecrets()
    }
  }

  /// A record with its history, without anything personal.
  static func record(_ id: String, _ snapshot: Snapshot) throws -> ConsentRecord {
    guard let row = try snapshot.first(find, id) else { throw Refusal.notFound("record", id) }
    var record: ConsentRecord = try row.message("body")
    record.history = try snapshot.all(entries, id).map { try $0.message("body") }
    return record
  }

  static func head(_ id: String, _ snapshot: Snapshot) throws -> ConsentRecord {
    guard let row = try snapshot.first(find, id) else { throw Refusal.notFound("record", id) }
    return try row.message("body")
  }

  static func heads(of subjectID: String, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try snapshot.all(ofSubject, subjectID).map { try $0.message("body") }
  }

  static func ids(ofSession sessionID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(ofSession, sessionID).map { try $0.get("id") }
  }

  static func list(
    _ query: RecordQuery, after cursor: PageCursor?, limit: Int, _ snapshot: Snapshot
  ) throws -> (
    [ConsentRecord], PageCursor?
  ) {
    let state = Int64(query.state.number)
    let version = Int64(query.documentVersion)
    let until = query.until == 0 ? Int64.max : query.until
    let page = try snapshot.page(
      list, query.studyID, query.isTest, query.from, until, query.siteID, query.siteID, query.subjectID,
      query.subjectID, query.documentID, query.documentID, version, version, state, state, after: cursor, limit: limit)
    return (try page.rows.map { try $0.message("body") }, page.next)
  }

  static func counts(
    _ documentID: String, _ version: Int32, test: Bool, _ snapshot: Snapshot
  ) throws -> [RecordState: Int64] {
    var counts: [RecordState: Int64] = [:]
    for row in try snapshot.all(countStates, documentID, Int64(version), test) {
      counts[RecordState(number: Int32(truncatingIfNeeded: try row.get("state", as: Int64.self)))] = try row.get(
        "amount")
    }
    return counts
  }

  static func keepShown(_ hash: String, _ bytes: [UInt8], _ transaction: Transaction) throws {
    try transaction.run(putShown, hash, "text/html; charset=utf-8", bytes)
  }

  static func shown(_ hash: String, _ snapshot: Snapshot) throws -> (contentType: String, bytes: [UInt8]) {
    guard let row = try snapshot.first(findShown, hash) else { throw Refusal.notFound("shown content", hash) }
    return (try row.get("content_type"), try row.get("content"))
  }

  /// Puts the signatures whose turn it is on the task list, in place of what stood there for the record.
  static func replaceTasks(_ record: ConsentRecord, _ due: [SignatureDefinition], _ transaction: Transaction) throws {
    try transaction.run(removeTasks, record.id)
    let now = transaction.now.millisecondsSince1970
    for signature in due {
      let task = SigningTask(
        recordID: record.id, signatureID: signature.id, role: signature.role, studyID: record.studyID,
        siteID: record.siteID, subjectID: record.subjectID, sinceMs: now)
      try transaction.run(putTask, record.id, signature.id, record.studyID, now, try task.encoded())
    }
  }

  static func tasks(
    of studyID: String, after cursor: PageCursor?, limit: Int, _ snapshot: Snapshot
  ) throws -> (
    [SigningTask], PageCursor?
  ) {
    let page = try snapshot.page(tasks, studyID, after: cursor, limit: limit)
    return (try page.rows.map { try $0.message("body") }, page.next)
  }
}
