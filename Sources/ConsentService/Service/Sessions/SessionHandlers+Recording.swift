internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Consents that an app asked for on screens of its own, in one call.
extension SessionHandlers {
  private static let longestText = 1 << 20

  func recordConsent(_ request: RecordConsentRequest, context: CallContext) async throws -> RecordConsentResponse {
    let start = StartSessionRequest(
      flowID: request.flowID, siteID: request.siteID, subjectID: request.subjectID, locale: request.locale,
      deviceID: request.deviceID, birthDate: request.birthDate, test: request.test, deviceTime: request.deviceTime,
      sessionID: request.sessionID, prepared: request.prepared)
    let sessionID = try identifiers.next(unless: request.sessionID, "session_id")
    let queue = QueuedCalls.queue(of: context)
    let newSubjectID = identifiers.next()
    let find: ServiceDatabase.Lookup<Found<SessionStart>> = { snapshot, gate in
      try SessionStart.found(start, sessionID: sessionID, newSubjectID: newSubjectID, snapshot, gate)
    }
    // The caller is admitted first: SignatureService is not asked about signatures of somebody else.
    if request.documents.contains(where: { !$0.signatures.isEmpty }) { try await data.admit(context, to: find) }
    let images = try await images(of: request, context)
    let unprintable = try await unprintableName(in: request, context)
    let answer = try await data.countingBirthDates(context, of: find, isTest: { $0.value.isTest }) {
      try await data.once(request, context, about: Subject(request.subjectID), of: find) {
        transaction, caller, found in
        var beginning = found.value
        beginning.isQueued = !queue.isEmpty
        var (session, engine) = try begin(beginning, start, transaction, caller)
        if try session.endFromOutside(transaction) == .stopped {
          let message = "a version that the app showed was stopped: nobody agrees to it any more"
          throw Refusal(.precondition, "version_stopped", field: "prepared", message)
        }
        try Self.checkShown(request, engine.script)
        try request.checkNames(in: engine.script)
        if let unprintable { throw unprintable }
        let forms = try request.formWords(session, engine.script, transaction)
        let before = session.state
        var changes = try walk(request, &session, &engine, images, transaction)
        var state = session.state
        try request.checkReached(state)
        try Self.keepShown(request, of: session, in: &state, &changes, transaction)
        try SeenDecisions(by: context, in: session, caller, transaction).note(on: &state, &changes)
        session.state = state
        try SubjectFacts.store(&session, since: before, by: caller, transaction)
        try session.attributeSignatures(since: before, engine.script, to: caller)
        let shown = OwnScreens(forms: forms)
        let recordIDs = try request.recordIDs(engine.script, transaction)
        try recorder.advance(
          &session, changes, engine, transaction, caller, from: queue, ownScreens: shown, recordIDs: recordIDs)
        let view = try session.view(engine, schema: 0, transaction)
        return RecordConsentResponse(
          session: view, subjectID: session.subjectID,
          records: try view.recordIDs.map { try RecordStore.record($0, transaction).withAttempts(transaction) })
      }
    }
    for signature in request.documents.flatMap(\.signatures) { await closer.closeNow(signature.signature, context) }
    return answer
  }

  /// What SignatureService says of each signature, by document and signature.
  private func images(
    of request: RecordConsentRequest, _ context: CallContext
  ) async throws -> [String: SignatureProofs.Image] {
    let places = request.documents.flatMap { document in
      document.signatures.map { "\(document.documentID)/\($0.signatureID)" }
    }
    let inputs = request.documents.flatMap { $0.signatures.map(\.signature) }
    let images = try await proofs.images(of: inputs, field: "documents", context)
    return Dictionary(zip(places, images)) { _, last in last }
  }

  /// Why no font draws one of the names.
  private func unprintableName(in request: RecordConsentRequest, _ context: CallContext) async throws -> Refusal? {
    var known: Set<MessageKey<PersonName>> = []
    for (index, document) in request.documents.enumerated() {
      for (number, signature) in document.signatures.enumerated() {
        guard let name = signature.name, known.insert(MessageKey(name)).inserted else { continue }
        try SignatureProofs.checkCount(known.count, "names", field: "documents")
        guard let problem = try await proofs.problem(ofName: name, context) else { continue }
        let field = "documents[\(index)].signatures[\(number)].name"
        return Refusal(problem.kind, problem.rule, field: field, problem.message)
      }
    }
    return nil
  }

  /// Walks the flow from its first screen to an end, screen by screen.
  private func walk(
    _ request: RecordConsentRequest, _ session: inout StoredSession, _ engine: inout FlowEngine,
    _ images: [String: SignatureProofs.Image], _ transaction: Transaction
  ) throws -> [FlowChange] {
    var own = OwnWalk(request)
    own.documents = engine.script.documentsByStep
    let now = transaction.now
    var changes: [FlowChange] = []
    while session.state.position?.closed != true {
      let before = session.state
      let screen = engine.screen(of: before)
      let action = try own.action(on: screen)
      let pending = engine.pendingSignature(in: before)
      let image = pending.flatMap { images["\($0.document.id)/\($0.signature.id)"] } ?? SignatureProofs.Image()
      do {
        let proof = try proofs.proof(image, action, session, engine, before, transaction)
        let (next, made) = try engine.apply(action, to: before, proof: proof, at: now)
        (session.state, changes) = (next, changes + made)
        if session.fillName(after: made, engine.script) {
          engine = FlowEngine(try scripts.script(for: session, transaction))
          session.state = engine.withTextsFilled(session.state)
        }
      } catch let refusal as Refusal {
        throw own.placed(refusal, on: screen)
      }
      let state = session.state
      // A wrong attempt counts and ends the session: the app asks the questions again in another call.
      if state.attempts.count > before.attempts.count, state.attempts.last?.passed == false,
        state.outcome == .unspecified
      {
        let (ended, made) = engine.end(state, as: .failedQuestions, at: now)
        (session.state, changes) = (ended, changes + made)
      }
    }
    return changes
  }

  /// Refuses a document, version or language that the app says it showed and to which the flow does not lead now.
  private static func checkShown(_ request: RecordConsentRequest, _ script: FlowScript) throws(Refusal) {
    for (index, decision) in request.documents.enumerated() {
      let field = "documents[\(index)]"
      guard let document = script.documents[decision.documentID] else {
        let message = "\(field).document_id is '\(decision.documentID.shortened)', which the flow does not show here"
        throw Refusal(.invalid, "unknown_document", field: "\(field).document_id", message)
      }
      guard document.version == decision.documentVersion else {
        let message =
          "\(field).document_version is \(decision.documentVersion); the flow leads to \(document.version) now"
        throw Refusal(.precondition, "other_version", field: "\(field).document_version", message)
      }
      guard document.text.locale == decision.locale else {
        let message =
          "\(field).locale is '\(decision.locale.shortened)'; for locale '\(script.locale)' the version has "
          + "'\(document.text.locale)'"
        throw Refusal(.precondition, "other_locale", field: "\(field).locale", message)
      }
      guard decision.shownText.utf8.count <= longestText else {
        let message =
          "\(field).shown_text is \(decision.shownText.utf8.count) bytes long; at most \(longestText) are allowed"
        throw Refusal(.invalid, "too_long", field: "\(field).shown_text", message)
      }
    }
  }

  /// Puts the hash of the text that the app showed in place of the hash of our own page. The text may name the person,
  /// so it is stored in the vault with a salted commitment, as a scan is. Our own page was not shown.
  private static func keepShown(
    _ request: RecordConsentRequest, of session: StoredSession, in state: inout SessionState,
    _ changes: inout [FlowChange], _ transaction: Transaction
  ) throws {
    for decision in request.documents where !decision.shownText.isEmpty {
      let id = decision.documentID
      guard state.documents.contains(where: { $0.documentID == id }) else { continue }
      let kept = try transaction.commit(
        Array(decision.shownText.utf8), as: ShownContent.label, ShownContent.item(session.id, id),
        of: try session.subject())
      changes.removeAll { if case .reviewShown(id, _, _) = $0 { true } else { false } }
      for index in state.documents.indices where state.documents[index].documentID == id {
        state.documents[index].fileHash = ""
      }
      state.documents.commit(kept, for: id)
      for index in changes.indices {
        guard case .documentDecided(let result) = changes[index], result.documentID == id else { continue }
        changes[index] = .documentDecided(state.documents.first { $0.documentID == id } ?? result)
      }
    }
  }
}
