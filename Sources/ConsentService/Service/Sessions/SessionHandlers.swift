internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// The handlers of SessionService.
struct SessionHandlers: SessionServiceProtocol {
  let data: ServiceDatabase
  let identifiers: IdentifierSource
  let salts: Randomness
  let scripts: ScriptCache
  let heads: RecordHeads
  let recorder: DecisionRecorder
  let proofs: SignatureProofs

  init(_ parts: ConsentParts) {
    data = parts.data
    identifiers = parts.identifiers
    salts = parts.randomness
    scripts = parts.scripts
    heads = parts.heads
    recorder = parts.recorder
    proofs = SignatureProofs(data: parts.data, signatures: parts.signatures)
  }

  func startSession(_ request: StartSessionRequest, context: CallContext) async throws -> StartSessionResponse {
    let subjectID = request.subjectID.isEmpty ? identifiers.next() : request.subjectID
    let sessionID = identifiers.next()
    return try await data.once(request, context, about: Subject(request.subjectID)) { transaction, caller in
      var start = SessionStart(request: request, sessionID: sessionID, subjectID: subjectID)
      if !request.invitationCode.isEmpty { start.take(try StudyStore.use(request.invitationCode, transaction)) }
      _ = try Subject.checked(start.subjectID)
      var session = try start.session(in: transaction)
      try caller.requireParticipation(of: session.subjectID, study: session.studyID, site: session.siteID)
      try StudyStore.checkSite(session.siteID, of: session.studyID, transaction)
      try DeviceTimeRules.check(request.deviceTime, "device_time")
      let today = CalendarDay(
        of: transaction.now, offsetMinutes: Int(request.deviceTime?.utcOffsetMinutes ?? 0))
      if request.birthDate != nil {
        _ = try AnswerRules.birthDay(request.birthDate, "birth_date", today: today)
      }
      session.state.birthDateGiven = request.birthDate != nil
      let engine = FlowEngine(try scripts.script(forNew: session, transaction))
      let (state, changes) = engine.start(birthDate: request.birthDate, at: transaction.now)
      session.state = state
      session.expiresAt = start.expiry(from: transaction.now)
      try SessionStore.insert(session, transaction)
      try Retention.keep(try session.subject(), in: session.studyID, transaction)
      if !request.invitationCode.isEmpty {
        var used = ConsentEvent(.invitationChanged, of: session)
        used.note = "used"
        try transaction.note(used, by: caller)
      }
      try transaction.note(ConsentEvent(.sessionStarted, of: session), by: caller)
      try recorder.record(changes, of: session, engine, transaction, caller)
      let view = try session.view(engine, schema: request.clientSchema, transaction)
      return StartSessionResponse(session: view, subjectID: session.subjectID)
    }
  }

  func getSession(_ request: GetSessionRequest, context: CallContext) async throws -> GetSessionResponse {
    try await data.disclose(context) { snapshot, caller, disclosure in
      let session = try StoredSession.found(request.sessionID, snapshot, caller)
      disclosure.note(session)
      let engine = FlowEngine(try scripts.script(for: session, snapshot))
      return GetSessionResponse(session: try session.view(engine, schema: request.clientSchema, snapshot))
    }
  }

  func actOnSession(_ request: ActOnSessionRequest, context: CallContext) async throws -> ActOnSessionResponse {
    let action = request.action ?? FlowAction()
    let strokes = try await proofs.strokes(of: action.signature, session: request.sessionID, context)
    return try await data.once(request, context) { transaction, caller in
      var session = try StoredSession.found(request.sessionID, transaction, caller)
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      guard session.version == request.expectedVersion else {
        let message = "expected_version is \(request.expectedVersion); session '\(session.id)' is at \(session.version)"
        throw Refusal(.aborted, "stale_version", field: "expected_version", message)
      }
      try session.requireDevice(context.identity.device)
      let changes: [FlowChange]
      if let end = try session.endFromOutside(transaction) {
        (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
      } else {
        let proof = try proofs.proof(strokes, action, session, engine, session.state, transaction)
        (session.state, changes) = try engine.apply(action, to: session.state, proof: proof, at: transaction.now)
      }
      try recorder.advance(&session, changes, engine, transaction, caller)
      return ActOnSessionResponse(session: try session.view(engine, schema: request.clientSchema, transaction))
    }
  }

  func resumeSession(_ request: ResumeSessionRequest, context: CallContext) async throws -> ResumeSessionResponse {
    try await data.once(request, context) { transaction, caller in
      var session = try StoredSession.found(request.sessionID, transaction, caller)
      let locale = request.locale.isEmpty ? session.locale : try LocaleTag.checked(request.locale, "locale").text
      let isOtherLanguage = locale != session.locale
      session.locale = locale
      session.deviceID = request.deviceID
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      if isOtherLanguage { session.state = engine.inAnotherLanguage(session.state) }
      var changes: [FlowChange] = []
      if let end = try session.endFromOutside(transaction) {
        (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
      }
      try recorder.advance(&session, changes, engine, transaction, caller)
      return ResumeSessionResponse(session: try session.view(engine, schema: request.clientSchema, transaction))
    }
  }

  func abandonSession(_ request: AbandonSessionRequest, context: CallContext) async throws -> AbandonSessionResponse {
    try await data.once(request, context) { transaction, caller in
      var session = try StoredSession.found(request.sessionID, transaction, caller)
      let engine = FlowEngine(try scripts.script(for: session, transaction))
      // Ending an ended session changes nothing: the call may be repeated.
      if session.state.outcome == .unspecified {
        let (state, changes) = engine.end(session.state, as: .abandoned, at: transaction.now)
        session.state = state
        try recorder.advance(&session, changes, engine, transaction, caller)
      }
      return AbandonSessionResponse(session: try session.view(engine, schema: request.clientSchema, transaction))
    }
  }
}
