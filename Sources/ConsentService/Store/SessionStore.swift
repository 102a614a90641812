internal import Base
internal import Storage
internal import Wire

/// A session as it is stored: what is plain in the row, and the state, which is sealed.
struct StoredSession: Sendable {
  var id: String
  var studyID: String
  var siteID: String
  var subjectID: String
  var flowID: String
  var flowVersion: Int32
  /// The versions that the session began on and finishes on.
  var documents: [FlowDocument]
  var locale: String
  var deviceID: String
  var isTest: Bool
  var version: Int64
  var startedAtMs: Int64
  var expiresAtMs: Int64
  var state: SessionState

  func subject() throws -> Subject { try Subject.checked(subjectID) }
}

enum SessionStore {
  private static let insert = Statement(
    "session.insert",
    """
    INSERT INTO sessions (tenant, id, study_id, site_id, subject_id, flow_id, flow_version, documents, locale,
      device_id, test, version, outcome, step_id, started_ms, expires_ms)
    VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let update = Statement(
    "session.update",
    "UPDATE sessions SET locale = ?, device_id = ?, version = ?, outcome = ?, step_id = ?, expires_ms = ? "
      + "WHERE tenant = {tenant} AND id = ? AND version = ?")
  private static let find = Statement(
    "session.find",
    """
    SELECT study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version,
      started_ms, expires_ms FROM sessions WHERE tenant = {tenant} AND id = ?
    """)
  private static let ofSubject = Statement(
    "session.subject", "SELECT id FROM sessions WHERE tenant = {tenant} AND subject_id = ? ORDER BY started_ms, id")
  private static let insertDocument = Statement(
    "session.document.insert",
    "INSERT INTO session_documents (tenant, document_id, version, session_id, test) VALUES ({tenant}, ?, ?, ?, ?)")
  private static let started = Statement(
    "session.document.count",
    "SELECT COUNT(*) AS amount FROM session_documents "
      + "WHERE tenant = {tenant} AND document_id = ? AND version = ? AND test = ?")
  private static let stopped = Statement(
    "session.document.stopped",
    """
    SELECT s.step_id AS step_id, COUNT(*) AS amount FROM session_documents d
    JOIN sessions s ON s.tenant = {tenant} AND s.id = d.session_id
    WHERE d.tenant = {tenant} AND d.document_id = ? AND d.version = ? AND d.test = ? AND s.outcome > 2
    GROUP BY s.step_id ORDER BY s.step_id
    """)

  static let statements = [insert, update, find, ofSubject, insertDocument, started, stopped]

  private struct Pinned {
    static func encode(_ documents: [FlowDocument]) throws -> [UInt8] {
      try FlowDefinition(documents: documents).encoded()
    }

    static func decode(_ bytes: [UInt8]) throws -> [FlowDocument] { try FlowDefinition(decoding: bytes).documents }
  }

  private static func item(_ id: String) -> String { "session/\(id)" }

  static func insert(_ session: StoredSession, _ transaction: Transaction) throws {
    try transaction.run(
      insert, session.id, session.studyID, session.siteID, session.subjectID, session.flowID,
      Int64(session.flowVersion), try Pinned.encode(session.documents), session.locale, session.deviceID,
      session.isTest, session.version, Int64(session.state.outcome.number), stepID(session), session.startedAtMs,
      session.expiresAtMs)
    for document in session.documents {
      try transaction.run(insertDocument, document.documentID, Int64(document.version), session.id, session.isTest)
    }
    try transaction.vault.put(try session.state.encoded(), as: item(session.id), of: try session.subject())
  }

  /// Stores the session's next version; refused when somebody else stored one meanwhile.
  static func update(_ session: StoredSession, from version: Int64, _ transaction: Transaction) throws {
    let changed = try transaction.run(
      update, session.locale, session.deviceID, session.version, Int64(session.state.outcome.number),
      stepID(session), session.expiresAtMs, session.id, version)
    guard changed == 1 else { throw Refusal(.aborted, "stale_version", "session '\(session.id)' has moved on") }
    try transaction.vault.put(try session.state.encoded(), as: item(session.id), of: try session.subject())
  }

  static func session(_ id: String, _ snapshot: Snapshot) throws -> StoredSession {
    guard let row = try snapshot.first(find, id) else { throw Refusal.notFound("session", id) }
    let subjectID: String = try row.get("subject_id")
    let sealed = try snapshot.personal(item(id), of: subjectID)
    return StoredSession(
      id: id, studyID: try row.get("study_id"), siteID: try row.get("site_id"), subjectID: subjectID,
      flowID: try row.get("flow_id"),
      flowVersion: Int32(truncatingIfNeeded: try row.get("flow_version", as: Int64.self)),
      documents: try Pinned.decode(try row.get("documents")), locale: try row.get("locale"),
      deviceID: try row.get("device_id"), isTest: try row.get("test"), version: try row.get("version"),
      startedAtMs: try row.get("started_ms"), expiresAtMs: try row.get("expires_ms"),
      state: try SessionState(decoding: sealed ?? []))
  }

  static func sessions(of subjectID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(ofSubject, subjectID).map { try $0.get("id") }
  }

  static func counts(
    _ documentID: String, _ version: Int32, test: Bool, _ snapshot: Snapshot
  ) throws -> (
    started: Int64, stoppedAt: [StepCount]
  ) {
    let row = try snapshot.one(started, documentID, Int64(version), test)
    let steps = try snapshot.all(stopped, documentID, Int64(version), test).map {
      StepCount(stepID: try $0.get("step_id"), count: try $0.get("amount"))
    }
    return (try row.get("amount"), steps)
  }

  /// The step that the session stands at, for counting where people stop.
  private static func stepID(_ session: StoredSession) -> String { session.state.steps.last?.stepID ?? "" }
}

extension Subject {
  static func checked(_ id: String) throws(Refusal) -> Subject {
    guard let subject = Subject(id) else {
      let message = "subject_id is '\(id.prefix(80))'; it must be 1 to 128 letters, digits, '.', '-', ':' or '_'"
      throw Refusal(.invalid, "bad_name", field: "subject_id", message)
    }
    return subject
  }
}

extension Snapshot {
  /// Something from the vault; refused once the subject is erased.
  func personal(_ item: String, of subjectID: String) throws -> [UInt8]? {
    do {
      return try vault.get(item, of: try Subject.checked(subjectID))
    } catch let error as DatabaseError where error.code == .erased {
      throw Refusal(.precondition, "subject_erased", field: "subject_id", "the data of this subject were erased")
    }
  }
}
