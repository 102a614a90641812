internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Sessions walked without a connection: issuing the table of screens, and accepting the submitted walk.
extension SessionHandlers {
  func getOfflineBundle(
    _ request: GetOfflineBundleRequest, context: CallContext
  ) async throws -> GetOfflineBundleResponse {
    if let begin = request.begin {
      guard request.sessionID.isEmpty else {
        throw Refusal(
          .invalid, "ambiguous", field: "begin", "begin is given beside session_id; a table is of one of both")
      }
      return try await prepare(begin, schema: request.clientSchema, context)
    }
    return try await data.disclose(context, of: StoredSession.named(request.sessionID)) {
      snapshot, session, disclosure in
      disclosure.note(session, for: "offline bundle")
      let engine = FlowEngine(try scripts.script(for: session, snapshot))
      let bundle = try bundle(session, engine, snapshot)
      try ScreenSchema.check(bundle.screens, for: request.clientSchema)
      return GetOfflineBundleResponse(bundle: bundle)
    }
  }

  /// The table of a visit that will begin without a connection: of a session as it would begin now.
  private func prepare(
    _ begin: StartSessionRequest, schema: Int32, _ context: CallContext
  ) async throws -> GetOfflineBundleResponse {
    guard begin.invitationCode.isEmpty, begin.prepared == nil else {
      let field = begin.prepared == nil ? "begin.invitation_code" : "begin.prepared"
      throw Refusal(.invalid, "not_before_visit", field: field, "\(field) is given; no visit is prepared with it")
    }
    if !begin.sessionID.isEmpty { try ChosenIdentifier.check(begin.sessionID, "begin.session_id") }
    let find: ServiceDatabase.Lookup<Found<SessionStart>> = { snapshot, gate in
      try SessionStart.found(begin, sessionID: begin.sessionID, newSubjectID: "", snapshot, gate)
    }
    return try await data.disclose(context, of: find) { snapshot, found, disclosure in
      let (session, engine, _) = try opened(found.value, begin, snapshot, disclosure.caller)
      if !session.subjectID.isEmpty { disclosure.note(session, for: "offline bundle") }
      var bundle = try bundle(session, engine, snapshot)
      try ScreenSchema.check(bundle.screens, for: schema)
      bundle.prepared = try PreparedVisit(session, in: snapshot)
      return GetOfflineBundleResponse(bundle: bundle)
    }
  }

  private func bundle(
    _ session: StoredSession, _ engine: FlowEngine, _ snapshot: Snapshot
  ) throws -> OfflineBundle {
    try engine.script.requireShownReview(session.state, field: "session_id")
    var screens = try OfflineCompiler.table(of: engine, from: session.state) { filled in
      var named = session
      named.state.texts?.filled = filled
      return try scripts.script(for: named, snapshot)
    }
    // The same for every visit, so that one table serves several.
    let hash = try OfflineCompiler.hash(of: screens)
    for index in screens.indices { screens[index].screen?.bind(to: session, engine.script) }
    var assets: Set<String> = []
    for screen in screens.compactMap(\.screen) {
      let image = screen.image ?? ScreenImage()
      let named = [image.asset, image.animationAsset, image.stillAsset, screen.fileHash]
      assets.formUnion(named.filter { !$0.isEmpty })
      assets.formUnion(Reference.assets(in: screen.html))
      assets.formUnion(Reference.assets(in: screen.learnMore?.html ?? ""))
    }
    return OfflineBundle(
      sessionID: session.id, bundleHash: hash, screens: screens,
      assets: assets.sorted(), expiresAt: Timestamp(session.expiresAt))
  }

  func submitOfflineWalk(
    _ request: SubmitOfflineWalkRequest, context: CallContext
  ) async throws -> SubmitOfflineWalkResponse {
    guard request.actions.count <= 2000 else {
      let message = "actions has \(request.actions.count) entries; at most 2000 are allowed"
      throw Refusal(.invalid, "too_many", field: "actions", message)
    }
    let given = request.actions.map { $0.kind == .sign ? $0.signature : nil }
    // The caller is admitted first: SignatureService is not asked about signatures for a session that is not the
    // caller's.
    if given.contains(where: { $0 != nil }) {
      try await data.admit(context, to: StoredSession.named(request.sessionID))
    }
    let known = try await proofs.images(of: given, field: "actions", context)
    let answer: SubmitOfflineWalkResponse = try await data.once(
      request, context, of: StoredSession.named(request.sessionID)
    ) { transaction, caller, found in
      var session = found
      var engine = FlowEngine(try scripts.script(for: session, transaction))
      try session.requireDevice(context.identity.device)
      try Self.requireRunning(session, at: transaction.now)
      let bundle = try bundle(session, engine, transaction)
      guard bundle.bundleHash == request.bundleHash else {
        let message =
          "bundle_hash is none of session '\(session.id)' as it stands: it has moved on, or another bundle was walked"
        throw Refusal(.aborted, "stale_bundle", field: "bundle_hash", message)
      }
      let bundled = session.state
      try SubjectFacts.load(into: &session, engine.script, transaction)
      let before = session.state
      let now = transaction.now
      let seen = try SeenDecisions(walkedFrom: session, context, caller, transaction)
      let walk = OfflineWalk(script: engine.script, bundled: bundled, now: now)
      let (stored, live) = (session, engine)
      var result = try walk.replay(request.actions, on: session.state) { index, state in
        try proofs.proof(known[index], request.actions[index], stored, live, state, isOffline: true, transaction)
      } filled: { changes, state in
        try named(stored, changes, live.script, &state, transaction)
      }
      engine = FlowEngine(result.script)
      var attention = ""
      if let refusal = try Self.settleBirthDate(&result, since: before, of: session, transaction) {
        attention = "\(refusal.rule): \(refusal.message)"
        for document in session.documents { result.question(document.documentID, attention, overridingOthers: true) }
      }
      if let stopped = try session.stoppedDocument(transaction) {
        let reason = "version_stopped: version \(stopped.version) of '\(stopped.documentID)' was stopped"
        result.question(stopped.documentID, reason)
      }
      if try FlowStore.state(of: session.flowID, session.flowVersion, transaction) == .stopped {
        let reason = "version_stopped: version \(session.flowVersion) of flow '\(session.flowID)' was stopped"
        for document in session.documents { result.question(document.documentID, reason) }
      }
      if try StudyStore.study(session.studyID, transaction).deviceTimeNeedsAttention {
        for given in result.state.signatures where given.authentication?.byDeviceTime == true {
          let reason = "the authentication for signature '\(given.signatureID)' was fresh only by the device's time"
          result.question(given.documentID, "authenticated_by_device_time: \(reason)")
        }
      }
      seen.note(on: &result.state, &result.changes)
      for decided in result.state.documents where decided.agreed {
        let settings = engine.script.documents[decided.documentID]?.settings ?? DocumentSettings()
        let reason = try RecordFiling.overtaken(
          settings.purposeCodes(documentID: decided.documentID, without: decided.declinedPurposes),
          of: session.subjectID, in: session.studyID, isTest: session.isTest, seenBefore: decided.seenBefore,
          sessionID: session.id, transaction)
        if !reason.isEmpty { result.question(decided.documentID, reason) }
      }
      result.end(engine, at: now)
      session.state = result.state
      try session.keepNamedTexts(&result.changes, engine.script, transaction)
      attention = session.documents.lazy.compactMap { result.attention[$0.documentID] }.first ?? attention
      try SubjectFacts.store(&session, since: before, by: caller, transaction)
      try session.attributeSignatures(since: before, engine.script, to: caller)
      let walked = session.version
      session.version += 1
      try SessionStore.update(session, from: walked, transaction)
      try transaction.note(ConsentEvent(.sessionActed, of: session), by: caller)
      try recorder.record(
        result.changes, of: session, engine, transaction, caller, from: QueuedCalls.queue(of: context),
        attention: result.attention, recordIDs: try request.recordIDs.chosen(transaction))
      let view = try session.view(engine, schema: request.clientSchema, transaction)
      return SubmitOfflineWalkResponse(session: view, attention: attention)
    }
    if answer.attention.hasPrefix("\(BirthDateStore.otherRule): ") {
      let touched = try await data.read(context, of: StoredSession.named(request.sessionID)) { $2.accessTargets.first }
      try await data.recordAttempt(context, at: touched)
    }
    for action in request.actions { await closer.closeNow(action.signature, context) }
    return answer
  }

  /// The script with the name in it that the changes of a state have told; nil where they have told none.
  private func named(
    _ session: StoredSession, _ changes: [FlowChange], _ script: FlowScript, _ state: inout SessionState,
    _ transaction: Transaction
  ) throws -> FlowScript? {
    var walked = session
    walked.state = state
    guard walked.fillName(after: changes, script) else { return nil }
    state = walked.state
    return try scripts.script(for: walked, transaction)
  }

  /// Settles a walk that stated another birth date than was known before, or several: the first one, known or stated,
  /// is used. A date that was known before is not shown by this session unless the session has stated it.
  ///
  /// - Returns: why the walk needs a person's attention; nil if its dates agree.
  private static func settleBirthDate(
    _ result: inout OfflineWalk.Result, since before: SessionState, of session: StoredSession,
    _ transaction: Transaction
  ) throws -> Refusal? {
    guard let first = before.birthDate ?? result.birthDates.first else { return nil }
    guard !result.birthDates.isEmpty || result.state.birthDateStated != before.birthDateStated else { return nil }
    let other = result.birthDates.first { $0 != first }
    let subject = try session.subject()
    guard
      let refusal = try BirthDateStore.misfit(
        of: other ?? first, with: first, subject, isTest: session.isTest, transaction)
    else { return nil }
    result.state.birthDate = first
    if before.birthDate != nil { result.state.birthDateStated = before.birthDateStated }
    return refusal
  }

  /// A submission must come before its session ends; the bundle says when that is.
  private static func requireRunning(_ session: StoredSession, at now: Instant) throws(Refusal) {
    guard session.state.outcome == .unspecified else {
      let message = "session '\(session.id)' has ended as '\(session.state.outcome)'; a walk of it comes too late"
      throw Refusal(.precondition, "session_ended", field: "session_id", message)
    }
    guard now < session.expiresAt else {
      let message =
        "session '\(session.id)' expired at \(TimeText.rfc3339(session.expiresAt)); a walk of it comes too late"
      throw Refusal(.precondition, "session_expired", field: "session_id", message)
    }
  }
}
