internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// The handlers of SessionService.
struct SessionHandlers: SessionServiceProtocol {
  let data: ServiceDatabase
  let identifiers: IdentifierSource
  let salts: Randomness
  let scripts: ScriptCache
  let recorder: DecisionRecorder
  let proofs: SignatureProofs
  let closer: FieldCloser
  let copies: CopyMaker

  init(_ parts: ConsentParts) {
    data = parts.data
    identifiers = parts.identifiers
    salts = parts.randomness
    scripts = parts.scripts
    recorder = parts.recorder
    proofs = SignatureProofs(signatures: parts.signatures)
    copies = parts.copies
    closer = FieldCloser(database: parts.data.database, signatures: parts.signatures)
  }

  func startSession(_ request: StartSessionRequest, context: CallContext) async throws -> StartSessionResponse {
    let (newSubjectID, sessionID) = (identifiers.next(), try identifiers.next(unless: request.sessionID, "session_id"))
    let find: ServiceDatabase.Lookup<Found<SessionStart>> = { snapshot, gate in
      try SessionStart.found(request, sessionID: sessionID, newSubjectID: newSubjectID, snapshot, gate)
    }
    try await checkInvitation(request, context)
    // With an invitation, the session may be another subject's than the one that the request names.
    let named = request.invitationCode.isEmpty ? Subject(request.subjectID) : nil
    return try await data.countingBirthDates(context, of: find, isTest: { $0.value.isTest }) {
      try await data.once(request, context, about: named, of: find) { transaction, caller, found in
        var start = found.value
        start.isQueued = !QueuedCalls.queue(of: context).isEmpty
        let (session, engine) = try beginOrTakeOver(start, request, transaction, caller)
        let view = try session.view(engine, schema: request.clientSchema, transaction)
        return StartSessionResponse(session: view, subjectID: session.subjectID)
      }
    }
  }

  func getSession(_ request: GetSessionRequest, context: CallContext) async throws -> GetSessionResponse {
    let find = StoredSession.readable(request.sessionID)
    return try await data.disclose(context, of: find) { snapshot, found, disclosure in
      var session = found.session
      disclosure.note(session)
      let engine = FlowEngine(try scripts.script(for: session, snapshot))
      try SubjectFacts.load(into: &session, engine.script, snapshot)
      var view = try session.view(engine, schema: request.clientSchema, snapshot)
      if found.isElsewhere {
        view.screen = session.elsewhere(engine.script.texts)
        (view.allowedPurposes, view.recordIDs) = ([], [])
      }
      return GetSessionResponse(session: view)
    }
  }

  func actOnSession(_ request: ActOnSessionRequest, context: CallContext) async throws -> ActOnSessionResponse {
    let action = request.action ?? FlowAction()
    let find = StoredSession.named(request.sessionID)
    let image = try await image(of: action.signature, context, toSign: find)
    let nameProblem = try await nameProblem(action.kind == .enterName ? action.name : nil, context, toSign: find)
    let answer = try await data.countingBirthDates(context, of: find, isTest: { $0.isTest }) {
      try await data.once(request, context, of: find) { transaction, caller, found in
        var session = found
        let engine = FlowEngine(try scripts.script(for: session, transaction))
        guard session.version == request.expectedVersion else {
          let message =
            "expected_version is \(request.expectedVersion); session '\(session.id)' is at \(session.version)"
          throw Refusal(.aborted, "stale_version", field: "expected_version", message)
        }
        try session.requireDevice(context.identity.device)
        var changes: [FlowChange]
        if let end = try session.endFromOutside(transaction) {
          (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
        } else {
          try SubjectFacts.load(into: &session, engine.script, transaction)
          let before = session.state
          let proof = try proofs.proof(image, action, session, engine, before, transaction)
          if let nameProblem { throw nameProblem }
          let seen = try SeenDecisions(by: context, in: session, caller, transaction)
          (session.state, changes) = try engine.apply(action, to: before, proof: proof, at: transaction.now)
          seen.note(on: &session.state, &changes)
          try SubjectFacts.store(&session, since: before, by: caller, transaction)
          try session.attributeSignatures(since: before, engine.script, to: caller)
        }
        var next = engine
        if session.fillName(after: changes, engine.script) {
          next = FlowEngine(try scripts.script(for: session, transaction))
          session.state = next.withTextsFilled(session.state)
        }
        let queue = QueuedCalls.queue(of: context)
        try recorder.advance(&session, changes, engine, transaction, caller, from: queue)
        return ActOnSessionResponse(session: try session.view(next, schema: request.clientSchema, transaction))
      }
    }
    await closer.closeNow(action.signature, context)
    return answer
  }

  /// Hands a session to the caller's device. One that was quit after something was signed goes on; any other that has
  /// ended is returned unchanged.
  func resumeSession(_ request: ResumeSessionRequest, context: CallContext) async throws -> ResumeSessionResponse {
    let find: ServiceDatabase.Lookup<Found<StoredSession>> = { snapshot, gate in
      let session = try StoredSession.named(request.sessionID)(snapshot, gate)
      var touched = session.accessTargets
      // The member of staff who takes over is the one who assists from here on.
      if request.assistance != .unspecified {
        for index in touched.indices { touched[index].assistant = gate.callerName }
      }
      return Found(session, targets: touched)
    }
    return try await data.once(request, context, of: find) { transaction, caller, found in
      var session = found.value
      // A browser cannot name another device in its place.
      let deviceID = caller.session == nil ? request.deviceID : caller.device
      let engine = try takeOver(
        &session, at: deviceID, locale: request.locale, request.assistance, transaction, caller)
      return ResumeSessionResponse(session: try session.view(engine, schema: request.clientSchema, transaction))
    }
  }

  /// Hands a session to a device, in the language that its person wants from here on. One that has ended stays as it
  /// is.
  func takeOver(
    _ session: inout StoredSession, at deviceID: String, locale wanted: String, _ assistance: Assistance,
    _ transaction: Transaction, _ caller: Caller
  ) throws -> FlowEngine {
    try PlainIdentifier.check(deviceID, field: "device_id")
    if session.state.outcome == .quit {
      try recorder.takeUp(&session, FlowEngine(try scripts.script(for: session, transaction)), transaction)
    }
    guard session.state.outcome == .unspecified else {
      return FlowEngine(try scripts.script(for: session, transaction))
    }
    try session.hand(to: caller, assistance, at: transaction.now)
    session.state.seenBefore = try transaction.lastEvent() + 1
    try SubjectFacts.loadEarlierConsents(into: &session, transaction)
    let locale = wanted.isEmpty ? session.locale : try LocaleTag.checked(wanted, "locale").text
    let isOtherLanguage = locale != session.locale
    session.locale = locale
    session.deviceID = deviceID
    // In another language a session goes on with the newest texts.
    if isOtherLanguage { session.state.texts = nil }
    let engine = FlowEngine(try scripts.script(for: session, transaction))
    if isOtherLanguage || engine.script.hasOtherReview(than: session.state) {
      session.state = engine.inAnotherLanguage(session.state)
    }
    var changes: [FlowChange] = []
    if let end = try session.endFromOutside(transaction) {
      (session.state, changes) = engine.end(session.state, as: end, at: transaction.now)
    }
    try recorder.advance(&session, changes, engine, transaction, caller)
    return engine
  }

  func abandonSession(_ request: AbandonSessionRequest, context: CallContext) async throws -> AbandonSessionResponse {
    try await data.once(request, context, of: StoredSession.named(request.sessionID)) { transaction, caller, found in
      var session = found
      guard let script = try scripts.script(toEnd: session, transaction) else {
        if session.state.outcome == .unspecified { try recorder.end(&session, as: .abandoned, transaction, caller) }
        let recordIDs = try RecordStore.ids(ofSession: session.id, transaction)
        return AbandonSessionResponse(session: session.viewWithoutScreen(recordIDs))
      }
      let engine = FlowEngine(script)
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
