internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stores what a session decides: the session's next version, records, the content that was shown, tasks for the next
/// signers, and counts.
struct DecisionRecorder: Sendable {
  let identifiers: IdentifierSource
  let salts: Randomness

  /// Stores a session's next version with everything that it decided.
  func advance(
    _ session: inout StoredSession, _ made: [FlowChange], _ engine: FlowEngine, _ transaction: Transaction,
    _ caller: Caller, from queue: String = "", ownScreens: OwnScreens? = nil, recordIDs: [String: String] = [:]
  ) throws {
    var changes = made
    try session.keepNamedTexts(&changes, engine.script, transaction)
    let seen = session.version
    session.version += 1
    if session.state.outcome == .unspecified {
      session.expiresAt = SessionStart.expiry(engine.script.definition, from: transaction.now)
    }
    try SessionStore.update(session, from: seen, transaction)
    try transaction.note(ConsentEvent(.sessionActed, of: session), by: caller)
    try record(
      changes, of: session, engine, transaction, caller, from: queue, ownScreens: ownScreens, recordIDs: recordIDs)
  }

  /// Makes records of the decisions.
  ///
  /// - Parameters:
  ///   - queue: the device from whose queue they come; empty if they were made with a connection.
  ///   - attention: why a consent needs a person's attention, by document.
  ///   - ownScreens: the forms that an app showed on screens of its own; nil if it showed ours.
  ///   - recordIDs: the identifiers that a device chose for the records of steps.
  func record(
    _ changes: [FlowChange], of session: StoredSession, _ engine: FlowEngine, _ transaction: Transaction,
    _ caller: Caller, from queue: String = "", attention: [String: String] = [:], ownScreens: OwnScreens? = nil,
    recordIDs: [String: String] = [:]
  ) throws {
    let place = RecordPlace(
      studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID, sessionID: session.id,
      deviceID: session.deviceID, actor: caller.actor, isTest: session.isTest, assistants: session.state.assistants,
      ownScreens: ownScreens != nil, queue: queue)
    let forms = if let ownScreens { ownScreens.forms } else { engine.script.formWords }
    let maker = RecordMaker(script: engine.script, forms: forms, place: place, salts: salts)
    // Who goes back and decides anew makes another record: the last one has the chosen identifier.
    let last = Dictionary(changes.indices.map { (changes[$0].stepID, $0) }) { $1 }
    for (index, change) in changes.enumerated() {
      let chosen = last[change.stepID] == index ? change.stepID.flatMap { recordIDs[$0] } : nil
      let id = chosen ?? identifiers.next()
      switch change {
      case .formDecided(let result):
        let made = try maker.record(of: result, id: id)
        try RecordFiling.file(
          made, seenBefore: result.seenBefore, DocumentSettings(), nil, "", salts, transaction, caller)
      case .reviewShown(_, let hash, let html):
        try RecordStore.keepShown(hash, Array(html.utf8), transaction)
      case .documentDecided(let result):
        let reason = attention[result.documentID] ?? ""
        var made = try maker.record(of: result, state: session.state, id: id, needsAttention: !reason.isEmpty)
        made.secrets.entered = result.agreed ? engine.entered(in: result.stepID, session.state) : []
        let document = engine.script.documents[result.documentID]
        let words = document.map { SignerWords($0.text, engine.script.texts) }
        try RecordFiling.file(
          made, seenBefore: result.seenBefore, document?.settings ?? DocumentSettings(), words, reason, salts,
          transaction, caller)
      case .ended(let outcome):
        try end(session, outcome, at: engine.stepID(of: session.state), transaction, caller)
      }
    }
  }

  /// Takes a session up again that was quit, if it may be: it runs as if it had not been, and counts so.
  func takeUp(_ session: inout StoredSession, _ engine: FlowEngine, _ transaction: Transaction) throws {
    guard session.mayBeTakenUp(engine, at: transaction.now) else { return }
    session.state = engine.takingUp(session.state, at: transaction.now)
    for place in session.places {
      try CountStore.add(-1, .stopped(step: engine.stepID(of: session.state)), place, of: session.id, transaction)
    }
    try DeadlineStore.set(.session, session.id, at: session.expiresAt, transaction)
    try UnfinishedReminder.set(for: session, transaction)
    try Retention.keepFromErasure(try session.subject(), in: session.studyID, transaction)
  }

  /// Ends a session without its script: a test session on drafts of which no script can be made any more.
  func end(
    _ session: inout StoredSession, as outcome: SessionOutcome, _ transaction: Transaction, _ caller: Caller
  ) throws {
    session.state.outcome = outcome
    session.state.position?.closed = true
    session.version += 1
    try SessionStore.update(session, from: session.version - 1, transaction)
    try end(session, outcome, at: session.stepID, transaction, caller)
  }

  private func end(
    _ session: StoredSession, _ outcome: SessionOutcome, at stepID: String, _ transaction: Transaction,
    _ caller: Caller
  ) throws {
    var event = ConsentEvent(.sessionEnded, of: session)
    event.outcome = outcome
    try transaction.note(event, by: caller)
    // A session that ends without a decision is counted at the step where it ended.
    if ![.completed, .declined, .needsAttention].contains(outcome) {
      for place in session.places {
        try CountStore.add(1, .stopped(step: stepID), place, of: session.id, transaction)
      }
    }
    try DeadlineStore.remove(Deadline(kind: .session, id: session.id), transaction)
    try UnfinishedReminder.remove(for: session.id, transaction)
    try Retention.review(session.subjectID, in: session.studyID, transaction)
  }
}

extension FlowChange {
  /// The step that was decided; nil for what is no decision.
  fileprivate var stepID: String? {
    switch self {
    case .formDecided(let result): result.stepID
    case .documentDecided(let result): result.stepID
    default: nil
    }
  }
}
