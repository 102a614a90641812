internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// A session as it is stored: plain columns in the row, and the state, which is sealed.
struct StoredSession: Sendable {
  var id: String
  var studyID: String
  var siteID: String
  var subjectID: String
  var flowID: String
  var flowVersion: Int32
  /// The versions of documents on which the session began. It keeps them until it ends.
  var documents: [FlowDocument]
  var locale: String
  var deviceID: String
  var isTest: Bool
  var version: Int32
  var startedAt: Instant
  var expiresAt: Instant
  var state: SessionState
  /// The device that holds the session, by its name as a caller; empty unless nobody is signed in at the device.
  var holder = ""
  /// The member of staff who assists, and how; empty for nobody.
  var assistant = ""
  var assistance = Assistance.unspecified
  /// The code of the invitation that began it; empty: none did.
  var invitation = ""

  func subject() throws -> Subject { try Subject.stored(subjectID) }

  /// The current step, for counting where people stop.
  var stepID: String { state.steps.last?.stepID ?? "" }

  /// The versions under which the session is counted.
  var places: [CountStore.Place] {
    documents.map { CountStore.Place(documentID: $0.documentID, version: $0.version, isTest: isTest) }
  }
}

/// The plain columns of a session, read without unsealing its state.
struct PlainSession: Sendable {
  let id: String
  let studyID: String
  let siteID: String
  let subjectID: String
  let isTest: Bool
  let outcome: SessionOutcome
  let startedAt: Instant
  let expiresAt: Instant
}

enum SessionStore {
  private static let insert = Statement(
    "session.insert",
    """
    INSERT INTO sessions (tenant, id, study_id, site_id, subject_id, flow_id, flow_version, documents, locale,
      device_id, test, version, outcome, step_id, started_ms, expires_ms, holder, assistant, assistance, invitation)
    VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let update = Statement(
    "session.update",
    "UPDATE sessions SET locale = ?, device_id = ?, version = ?, outcome = ?, step_id = ?, expires_ms = ?, "
      + "holder = ?, assistant = ?, assistance = ? WHERE tenant = {tenant} AND id = ? AND version = ?")
  private static let ofSubject = Statement(
    "session.subject",
    "SELECT id, study_id FROM sessions WHERE tenant = {tenant} AND subject_id = ? ORDER BY started_ms, id")
  private static let sites = Statement(
    "session.sites",
    "SELECT DISTINCT site_id FROM sessions WHERE tenant = {tenant} AND subject_id = ? AND study_id = ?")
  private static let running = Statement(
    "session.running",
    "SELECT id FROM sessions WHERE tenant = {tenant} AND subject_id = ? AND study_id = ? AND outcome = 0 "
      + "ORDER BY started_ms, id")
  private static let someRunning = Statement(
    "session.some-running",
    "SELECT id FROM sessions WHERE tenant = {tenant} AND subject_id = ? AND study_id = ? AND outcome = 0 LIMIT ?")
  /// For a session whose state cannot be read any more, because its subject was erased.
  private static let close = Statement(
    "session.close",
    "UPDATE sessions SET outcome = ?, version = version + 1 WHERE tenant = {tenant} AND id = ? AND outcome = 0")
  private static let find = Statement(
    "session.find",
    """
    SELECT study_id, site_id, subject_id, flow_id, flow_version, documents, locale, device_id, test, version,
      started_ms, expires_ms, holder, assistant, assistance, invitation FROM sessions WHERE tenant = {tenant} AND id = ?
    """)
  private static let plain = Statement(
    "session.plain",
    "SELECT study_id, site_id, subject_id, test, outcome, started_ms, expires_ms FROM sessions "
      + "WHERE tenant = {tenant} AND id = ?")

  private static let list = Statement(
    "session.list",
    """
    SELECT id, site_id, flow_id, flow_version, locale, device_id, test, version, outcome, started_ms, expires_ms,
      assistant FROM sessions WHERE tenant = {tenant} AND subject_id = ? AND study_id = ? AND {after started_ms, id}
    ORDER BY started_ms, id LIMIT {limit}
    """)

  static let statements = [insert, update, find, ofSubject, sites, running, someRunning, close, plain, list]

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
      session.isTest, Int64(session.version), Int64(session.state.outcome.number), session.stepID, session.startedAt,
      session.expiresAt, session.holder, session.assistant, Int64(session.assistance.number), session.invitation)
    try transaction.vault.put(try session.state.encoded(), as: item(session.id), of: try session.subject())
    try DeadlineStore.set(.session, session.id, at: session.expiresAt, transaction)
    for place in session.places {
      try CountStore.add(1, .started, place, of: session.id, transaction)
    }
  }

  /// Stores the session's next version; throws if another one was stored meanwhile.
  static func update(_ session: StoredSession, from version: Int32, _ transaction: Transaction) throws {
    let changed = try transaction.run(
      update, session.locale, session.deviceID, Int64(session.version), Int64(session.state.outcome.number),
      session.stepID, session.expiresAt, session.holder, session.assistant, Int64(session.assistance.number),
      session.id, Int64(version))
    guard changed == 1 else {
      let message = "expected_version is \(version); session '\(session.id)' has moved on"
      throw Refusal(.aborted, "stale_version", field: "expected_version", message)
    }
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
      deviceID: try row.get("device_id"), isTest: try row.get("test"),
      version: Int32(truncatingIfNeeded: try row.get("version", as: Int64.self)),
      startedAt: try row.get("started_ms"), expiresAt: try row.get("expires_ms"),
      state: try SessionState(decoding: sealed ?? []), holder: try row.get("holder"),
      assistant: try row.get("assistant"),
      assistance: Assistance(number: Int32(truncatingIfNeeded: try row.get("assistance", as: Int64.self))),
      invitation: try row.get("invitation"))
  }

  /// The sites at which the subject ever began a session in the study.
  static func sites(of subjectID: String, in studyID: String, _ snapshot: Snapshot) throws -> Set<String> {
    Set(try snapshot.all(sites, subjectID, studyID).map { try $0.get("site_id", as: String.self) })
  }

  static func sessions(of subjectID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(ofSubject, subjectID).map { try $0.get("id") }
  }

  /// The studies in which the subject ever began a session.
  static func studies(of subjectID: String, _ snapshot: Snapshot) throws -> Set<String> {
    Set(try snapshot.all(ofSubject, subjectID).map { try $0.get("study_id", as: String.self) })
  }

  /// The subject's sessions in the study that have not ended.
  static func running(of subjectID: String, in studyID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(running, subjectID, studyID).map { try $0.get("id") }
  }

  /// How many running sessions a subject may have in a study: more than anybody needs, and few enough for an erasure,
  /// which ends all of them in one transaction.
  static let mostRunning = 50

  /// Refuses a session beyond those that may run. It is called once the session is stored, and counts that one as well.
  static func requireRoom(for session: StoredSession, _ transaction: Transaction) throws {
    let running = try transaction.all(someRunning, session.subjectID, session.studyID, mostRunning + 1)
    guard running.count > mostRunning else { return }
    let message =
      "subject_id: '\(session.subjectID)' has \(mostRunning) running sessions in study '\(session.studyID)', as many as "
      + "may be; go on with one of them, or abandon one"
    throw Refusal(.precondition, "too_many_sessions", field: "subject_id", message)
  }

  /// Whether a session of the subject's in the study has not ended.
  static func isRunning(of subjectID: String, in studyID: String, _ snapshot: Snapshot) throws -> Bool {
    try !running(of: subjectID, in: studyID, snapshot).isEmpty
  }

  /// The plain columns of a session; nil if there is none.
  static func plain(_ id: String, _ snapshot: Snapshot) throws -> PlainSession? {
    guard let row = try snapshot.first(plain, id) else { return nil }
    return PlainSession(
      id: id, studyID: try row.get("study_id"), siteID: try row.get("site_id"), subjectID: try row.get("subject_id"),
      isTest: try row.get("test"),
      outcome: SessionOutcome(number: Int32(truncatingIfNeeded: try row.get("outcome", as: Int64.self))),
      startedAt: try row.get("started_ms"), expiresAt: try row.get("expires_ms"))
  }

  /// Summaries of a subject's sessions in a study, without what their sealed states hold.
  static func list(
    of subjectID: String, in studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([SessionSummary], String) {
    let page = try snapshot.page(list, subjectID, studyID, at: page)
    let sessions = try page.rows.map { row in
      let id: String = try row.get("id")
      return SessionSummary(
        sessionID: id, studyID: studyID, siteID: try row.get("site_id"), subjectID: subjectID,
        flowID: try row.get("flow_id"),
        flowVersion: Int32(truncatingIfNeeded: try row.get("flow_version", as: Int64.self)),
        locale: try row.get("locale"), deviceID: try row.get("device_id"),
        version: Int32(truncatingIfNeeded: try row.get("version", as: Int64.self)),
        outcome: SessionOutcome(number: Int32(truncatingIfNeeded: try row.get("outcome", as: Int64.self))),
        startedAt: Timestamp(try row.get("started_ms", as: Instant.self)),
        expiresAt: Timestamp(try row.get("expires_ms", as: Instant.self)), test: try row.get("test"),
        assistedBy: try row.get("assistant"), recordIDs: try RecordStore.ids(ofSession: id, snapshot))
    }
    return (sessions, page.nextToken)
  }

  static func close(_ id: String, as outcome: SessionOutcome, _ transaction: Transaction) throws {
    try transaction.run(close, Int64(outcome.number), id)
  }
}

extension Snapshot {
  /// An item of the vault; throws once the subject is erased.
  func personal(_ item: String, of subjectID: String) throws -> [UInt8]? {
    do {
      return try vault.get(item, of: try Subject.stored(subjectID))
    } catch {
      guard error.code == .erased else { throw error }
      throw Refusal(.precondition, "subject_erased", field: "subject_id", "the data of this subject were erased")
    }
  }
}
