internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Sessions: start, show, act, take over, abandon.
extension ConsentHandlers {
  package func startSession(_ request: StartSessionRequest, context: CallContext) async throws -> StartSessionResponse {
    let subjectID = request.subjectID.isEmpty ? identifiers.next() : request.subjectID
    let sessionID = identifiers.next()
    return try await write(request, context, of: request.subjectID) { transaction, caller in
      var start = SessionStart(request: request, sessionID: sessionID, subjectID: subjectID)
      var invitation: StudyInvitation?
      if !request.invitationCode.isEmpty {
        let used = try StudyStore.use(request.invitationCode, transaction)
        start.take(used)
        invitation = used
      }
      _ = try Subject.checked(start.subjectID)
      var session = try start.session(in: transaction, handlers: self)
      try caller.requireParticipation(of: session.subjectID, study: session.studyID, site: session.siteID)
      try StudyStore.checkSite(session.siteID, of: session.studyID, transaction)
      try DeviceTimeRules.check(request.deviceTime, "device_time")
      let today = CalendarDay(
        millisecondsSince1970: transaction.now.millisecondsSince1970,
        offsetMinutes: Int(request.deviceTime?.utcOffsetMinutes ?? 0))
      if request.birthDate != nil {
        _ = try AnswerRules.birthDay(request.birthDate, "birth_date", today: today)
      }
      session.state.birthDateGiven = request.birthDate != nil
      let engine = FlowEngine(try scripts.script(forNew: session, transaction))
      let (state, changes) = engine.start(birthDate: request.birthDate, at: transaction.now)
      session.state = state
      session.expiresAtMs = start.expiry(from: transaction.now)
      try SessionStore.insert(session, transaction)
      try Retention.keep(try session.subject(), in: session.studyID, transaction)
      if invitation != nil {
        var used = Self.event(.invitationChanged, session)
        used.note = "used"
        try transaction.note(used, by: caller)
      }
      try transaction.note(Self.event(.sessionStarted, session), by: caller)
      try keep(changes, of: session, engine, transaction, caller)
      let view = try view(of: session, engine, request.clientSchema, transaction)
      return StartSessionResponse(session: view, subjectID: session.subjectID)
    }
  }

  package func getSession(_ request: GetSessionRequest, context: CallContext) async throws -> GetSessionResponse {
    try await disclose(context) { snapshot, caller, readings in
      let session = try session(request.sessionID, snapshot, caller)
      readings.note(session, by: caller)
      let engine = FlowEngine(try scripts.script(for: session, snapshot))
      return GetSessionResponse(session: try view(of: session, engine, request.clientSchema, snapshot))
    }
  }

  package func actOnSession(_ request: ActOnSessionRequest, context: CallContext) async throws -> ActOnSessionResponse {
    let action = request.action ?? FlowAction()
    let strokes = try await strokes(of: action.signature, session: request.sessionID, context)
    return try await write(request, context) { transaction, caller in
      var session = try session(request.sessionID, transaction, caller)
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      guard session.version == request.version else {
        let message = "version is \(request.version); session '\(session.id)' is at \(session.version)"
        throw Refusal(.aborted, "stale_version", field: "version", message)
      }
      try Self.requireDevice(of: session, context)
      let changes: [FlowChange]
      if let end = try outsideEnd(of: session, transaction) {
        (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
      } else {
        let proof = try proof(strokes, action, session, engine, session.state, transaction)
        (session.state, changes) = try engine.apply(action, to: session.state, proof: proof, at: transaction.now)
      }
      try store(&session, changes, engine, transaction, caller)
      return ActOnSessionResponse(session: try view(of: session, engine, request.clientSchema, transaction))
    }
  }

  package func resumeSession(
    _ request: ResumeSessionRequest, context: CallContext
  ) async throws -> ResumeSessionResponse {
    try await write(request, context) { transaction, caller in
      var session = try session(request.sessionID, transaction, caller)
      let locale = request.locale.isEmpty ? session.locale : try Self.locale(request.locale, "locale").text
      let isOtherLanguage = locale != session.locale
      session.locale = locale
      session.deviceID = request.deviceID
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      if isOtherLanguage { session.state = engine.inAnotherLanguage(session.state) }
      var changes: [FlowChange] = []
      if let end = try outsideEnd(of: session, transaction) {
        (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
      }
      try store(&session, changes, engine, transaction, caller)
      return ResumeSessionResponse(session: try view(of: session, engine, request.clientSchema, transaction))
    }
  }

  package func abandonSession(
    _ request: AbandonSessionRequest, context: CallContext
  ) async throws -> AbandonSessionResponse {
    try await write(request, context) { transaction, caller in
      var session = try session(request.sessionID, transaction, caller)
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      // Ending what has ended changes nothing: the call may be repeated.
      if session.state.outcome == .unspecified {
        let (state, changes) = engine.end(session.state, as: .abandoned, at: transaction.now)
        session.state = state
        try store(&session, changes, engine, transaction, caller)
      }
      return AbandonSessionResponse(session: try view(of: session, engine, ScreenSchema.newest, transaction))
    }
  }

  // MARK: Pieces

  func session(_ id: String, _ snapshot: Snapshot, _ caller: Caller) throws -> StoredSession {
    let session = try SessionStore.session(id, snapshot)
    try caller.requireParticipation(of: session.subjectID, study: session.studyID, site: session.siteID)
    return session
  }

  /// The device that took the session over is the one that acts.
  static func requireDevice(of session: StoredSession, _ context: CallContext) throws(Refusal) {
    let device = context.identity.device
    guard !device.isEmpty, !session.deviceID.isEmpty, device != session.deviceID else { return }
    let message =
      "session '\(session.id)' goes on at device '\(session.deviceID)'; take it over with ResumeSession first"
    throw Refusal(.precondition, "other_device", field: "session_id", message)
  }

  /// An end that comes from outside: the session rested too long, or a version that it shows was stopped.
  func outsideEnd(of session: StoredSession, _ snapshot: Snapshot) throws -> SessionOutcome? {
    guard session.state.outcome == .unspecified else { return nil }
    for document in session.documents
    where try DocumentStore.state(document.documentID, document.version, snapshot) == .stopped {
      return .stopped
    }
    return snapshot.now.millisecondsSince1970 >= session.expiresAtMs ? .expired : nil
  }

  static func event(_ kind: ConsentEventKind, _ session: StoredSession) -> ConsentEvent {
    ConsentEvent(
      kind: kind, studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID,
      sessionID: session.id, test: session.isTest)
  }

  /// The session as its client sees it.
  func view(
    of session: StoredSession, _ engine: FlowEngine, _ schema: Int32, _ snapshot: Snapshot
  ) throws -> SessionView {
    var full = engine.screen(of: session.state)
    full.challenge(in: session, engine.script)
    let isStopped = session.state.outcome == .stopped
    return SessionView(
      sessionID: session.id, version: session.version,
      screen: ScreenSchema.screen(full, for: schema, texts: engine.script.texts), outcome: session.state.outcome,
      allowedPurposes: session.state.forms.filter(\.allowed).map(\.purpose), expiresAtMs: session.expiresAtMs,
      recordIDs: try RecordStore.ids(ofSession: session.id, snapshot),
      successor: isStopped ? try successor(of: session, snapshot) : nil, test: session.isTest)
  }

  /// The version that takes the place of a stopped one; version 0 while there is none.
  private func successor(of session: StoredSession, _ snapshot: Snapshot) throws -> FlowDocument? {
    for pinned in session.documents
    where try DocumentStore.state(pinned.documentID, pinned.version, snapshot) == .stopped {
      let newest = try DocumentStore.document(pinned.documentID, snapshot).publishedVersion
      return FlowDocument(documentID: pinned.documentID, version: newest)
    }
    return nil
  }
}
