internal import Base
internal import ConsentContract
internal import Storage

/// What a session decided, put on record: records, what was shown, who signs next, counts.
extension ConsentHandlers {
  /// Stores a session's next version with everything that it decided.
  func store(
    _ session: inout StoredSession, _ changes: [FlowChange], _ engine: FlowEngine, _ transaction: Transaction,
    _ caller: Caller
  ) throws {
    let seen = session.version
    session.version += 1
    if session.state.outcome == .unspecified {
      session.expiresAtMs = SessionStart.expiry(engine.script.definition, from: transaction.now)
    }
    try SessionStore.update(session, from: seen, transaction)
    try transaction.note(Self.event(.sessionActed, session), by: caller)
    try keep(changes, of: session, engine, transaction, caller)
  }

  /// Makes records of what was decided.
  func keep(
    _ changes: [FlowChange], of session: StoredSession, _ engine: FlowEngine, _ transaction: Transaction,
    _ caller: Caller, attention: String = ""
  ) throws {
    let place = RecordPlace(
      studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID, sessionID: session.id,
      deviceID: session.deviceID, actor: caller.actor, isTest: session.isTest)
    let maker = RecordMaker(script: engine.script, place: place, salts: randomness)
    for change in changes {
      switch change {
      case .formDecided(let result):
        try keep(
          try maker.record(of: result, id: identifiers.next()), DocumentSettings(), attention, transaction, caller)
      case .reviewShown(let hash, let html):
        try RecordStore.keepShown(hash, Array(html.utf8), transaction)
      case .documentDecided(let result):
        let made = try maker.record(of: result, state: session.state, id: identifiers.next())
        let settings = engine.script.documents[result.documentID]?.settings ?? DocumentSettings()
        try keep(made, settings, attention, transaction, caller)
      case .ended(let outcome):
        var event = Self.event(.sessionEnded, session)
        event.outcome = outcome
        try transaction.note(event, by: caller)
        try Self.countEnd(of: session, outcome, at: engine.stepID(of: session.state), transaction)
        try DeadlineStore.remove(Deadline(kind: .session, id: session.id), transaction)
        try Retention.review(session.subjectID, in: session.studyID, transaction)
      }
    }
  }

  /// Where people stop: at the step on which a session ended that did not reach its goal.
  private static func countEnd(
    of session: StoredSession, _ outcome: SessionOutcome, at stepID: String, _ transaction: Transaction
  ) throws {
    guard outcome != .completed, outcome != .declined else { return }
    for place in session.places {
      try CountStore.add(1, .stopped(step: stepID), place, of: session.id, transaction)
    }
  }

  /// Stores a record, puts the signatures it still needs on the list, and supersedes what it takes the place of.
  func keep(
    _ made: MadeRecord, _ settings: DocumentSettings, _ attention: String, _ transaction: Transaction, _ caller: Caller
  ) throws {
    var record = made.record
    if !attention.isEmpty, record.state == .inForce || record.state == .awaitingSignatures {
      record.attention = attention
      record.append(RecordEntry(kind: .needsAttention, atMs: transaction.now.millisecondsSince1970, actor: "system"))
    }
    try RecordStore.save(record, transaction)
    if !made.secrets.signatures.isEmpty { try RecordStore.saveSecrets(made.secrets, of: record, transaction) }
    if let shown = made.shown { try RecordStore.keepShown(record.shownHash, shown, transaction) }
    try transaction.noteEntries(of: record, by: caller.actor)
    try RecordStore.replaceTasks(record, Signing.due(record, settings), transaction)
    try supersede(by: record, transaction)
    if record.kind == .document, record.state != .declined {
      try transaction.enqueue(
        RenderJob.kind, Array(record.id.utf8), id: "render-\(record.id)-\(record.signatures.count)")
    }
  }

  /// A document's consent takes the place of an earlier one once it is in force; a form's newest decision counts, whatever it is.
  func supersede(by record: ConsentRecord, _ transaction: Transaction) throws {
    guard record.kind == .form || record.state == .inForce else { return }
    for earlier in try RecordStore.heads(of: record.subjectID, transaction) {
      let isSame =
        earlier.id != record.id && earlier.studyID == record.studyID && earlier.test == record.test
        && [.inForce, .awaitingSignatures, .expired].contains(earlier.state)
        && (record.kind == .form
          ? earlier.kind == .form && earlier.purposes == record.purposes
          : earlier.documentID == record.documentID && earlier.kind != .form)
      guard isSame else { continue }
      var old = try RecordStore.locked(earlier.id, transaction)
      let known = old.history.count
      old.append(
        RecordEntry(
          kind: .superseded, atMs: transaction.now.millisecondsSince1970, actor: "system", supersededBy: record.id))
      try RecordStore.save(old, known: known, transaction)
      try RecordStore.replaceTasks(old, [], transaction)
      try transaction.noteEntries(of: old, known: known, by: "system")
    }
  }
}
