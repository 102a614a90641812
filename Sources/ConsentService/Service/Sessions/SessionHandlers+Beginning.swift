internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// New sessions at their first screen.
extension SessionHandlers {
  /// A session at its first screen, with what it decided on the way there.
  typealias Opened = (session: StoredSession, engine: FlowEngine, changes: [FlowChange])

  /// A session as it would begin now. Nothing is stored. It may have no subject yet: then nothing is known of one.
  func opened(
    _ found: SessionStart, _ request: StartSessionRequest, _ snapshot: Snapshot, _ caller: Caller
  ) throws -> Opened {
    var start = found
    if request.test, caller.seesDrafts(study: try FlowStore.named(start.flowID, snapshot).studyID) {
      start.seesDrafts = true
    }
    try PlainIdentifier.check(request.deviceID, field: "device_id")
    var session = try start.session(in: snapshot)
    // A session of a chosen identifier belongs to the device that chose it.
    if !request.sessionID.isEmpty, session.deviceID.isEmpty { session.deviceID = caller.device }
    try session.hand(to: caller, request.assistance, at: snapshot.now)
    try StudyStore.checkSite(session.siteID, of: session.studyID, snapshot)
    try DeviceTimeRules.check(request.deviceTime, "device_time")
    let today = CalendarDay(of: snapshot.now, offsetMinutes: Int(request.deviceTime?.utcOffsetMinutes ?? 0))
    if request.birthDate != nil {
      _ = try AnswerRules.birthDay(request.birthDate, "birth_date", today: today)
    }
    let isKnown = !session.subjectID.isEmpty
    let known = isKnown ? try BirthDateStore.stated(of: session.subjectID, isTest: session.isTest, snapshot) : nil
    session.state.birthDateGiven = known != nil || request.birthDate != nil
    let engine = FlowEngine(try scripts.script(forNew: session, snapshot))
    let begun = start.begun(request.deviceTime, at: snapshot.now)
    // No session starts with a document that may not be agreed to at this date.
    for pinned in session.documents {
      if let document = engine.script.documents[pinned.documentID] {
        try SigningRules.checkDates(document.settings, at: begun)
      }
    }
    var (state, changes) = engine.start(birthDate: known ?? request.birthDate, at: begun)
    state.assistants = session.state.assistants
    state.seenBefore = try start.seenBefore(snapshot)
    // A date that was stated elsewhere counts, but this session does not reveal it.
    state.birthDateStated = request.birthDate != nil
    session.state = state
    session.startedAt = begun
    session.expiresAt = start.expiry(from: snapshot.now)
    if isKnown {
      try SubjectFacts.load(into: &session, engine.script, snapshot, isNew: true)
      try SubjectFacts.requireAttempts(session, engine.script)
    }
    return (session, engine, changes)
  }

  /// Stores a new session at its first screen.
  func begin(
    _ start: SessionStart, _ request: StartSessionRequest, _ transaction: Transaction, _ caller: Caller
  ) throws -> (session: StoredSession, engine: FlowEngine) {
    _ = try Subject.named(start.subjectID)
    if !request.sessionID.isEmpty, try SessionStore.plain(request.sessionID, transaction) != nil {
      let message = "there is a session '\(request.sessionID)' already"
      throw Refusal(.alreadyExists, "session_exists", field: "session_id", message)
    }
    let opened = try opened(start, request, transaction, caller)
    let (session, engine) = (opened.session, opened.engine)
    if let given = request.birthDate {
      try BirthDateStore.state(given, in: session, field: "birth_date", by: caller, transaction)
    }
    try SessionStore.insert(session, transaction)
    try UnfinishedReminder.set(for: session, isNew: true, transaction)
    if !session.invitation.isEmpty { try InvitationStore.begin(session.invitation, session.id, transaction) }
    try Retention.keepFromErasure(try session.subject(), in: session.studyID, transaction)
    try session.noteInvitation("begun", transaction, caller)
    try transaction.note(ConsentEvent(.sessionStarted, of: session), by: caller)
    try recorder.record(opened.changes, of: session, engine, transaction, caller)
    return (session, engine)
  }
}
