internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Records changes that time alone brings: sessions that were idle too long, consents whose validity or re-consent date
/// has passed or that wait for signatures on a version that was stopped, months in which subjects may have come of age.
/// Answers never wait for this task, since they compare with the clock.
struct Expiry: Sendable {
  private let database: Database
  private let scripts: ScriptCache
  private let recorder: DecisionRecorder

  init(_ parts: ConsentParts) {
    database = parts.data.database
    scripts = parts.scripts
    recorder = parts.recorder
  }

  private static let pageSize = 100
  /// The actor on record of changes that follow from time alone.
  private static let actor = "system"

  static func versionID(_ documentID: String, _ version: Int32) -> String { "\(documentID)/\(version)" }

  /// Handles every deadline that has passed, one at a time: each is a change of its own, and one that fails delays no
  /// other.
  func run() async throws {
    var failure: (any Error)?
    for tenant in try await database.tenants() {
      let scope = database.scope(tenant)
      var failed: Set<Deadline> = []
      var known = KnownEndings()
      while true {
        let limit = Self.pageSize + failed.count
        let due = try await scope.read { try DeadlineStore.due(limit: limit, $0) }.filter { !failed.contains($0) }
        if due.isEmpty { break }
        for deadline in due {
          try Task.checkCancellation()
          do {
            try await settle(deadline, &known, scope)
          } catch {
            failed.insert(deadline)
            // Another change may have been made at the same moment. The deadline is checked again in the next run, and
            // this is no failure.
            if (error as? Refusal)?.kind == .aborted { known.found = [:] } else { failure = failure ?? error }
          }
        }
      }
    }
    if let failure { throw failure }
  }

  /// - Parameter known: the endings that were read in this run, by document.
  private func settle(_ deadline: Deadline, _ known: inout KnownEndings, _ scope: Scope) async throws {
    switch deadline.kind {
    case .expiry, .lookAgain: return try await endRecord(deadline, &known, scope)
    case .reconsent: return try await demandConsent(deadline, scope)
    case .stopped: return try await endWaiting(deadline, scope)
    default: break
    }
    try await scope.write { transaction in
      switch deadline.kind {
      case .session: try endSession(deadline, transaction)
      case .comingOfAge: try noteMajority(in: deadline.id, transaction)
      case .proofs:
        try SealProofJob.begin(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .time:
        try SealTimeJob.beginAgain(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .archive, .archiveTime:
        try SealArchiveJob.begin(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .retention:
        try reviewRetention(of: deadline.id, transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .expiry, .lookAgain, .reconsent, .stopped: break
      }
    }
  }

  // MARK: Sessions

  private func endSession(_ deadline: Deadline, _ transaction: Transaction) throws {
    guard let plain = try SessionStore.plain(deadline.id, transaction), plain.outcome == .unspecified else {
      return try DeadlineStore.remove(deadline, transaction)
    }
    guard plain.expiresAt <= transaction.now else {
      return try DeadlineStore.set(.session, plain.id, at: plain.expiresAt, transaction)
    }
    // A restore repeats later erasures in the vault alone, so an erased subject may still have an open session.
    if try transaction.vault.isErased(try Subject.stored(plain.subjectID)) {
      return try Retention.close(plain, by: Self.actor, transaction)
    }
    var session = try SessionStore.session(plain.id, transaction)
    let caller = Caller.installation(as: Self.actor, in: transaction.tenant)
    let outcome = try session.endFromOutside(transaction) ?? .expired
    guard let script = try scripts.script(toEnd: session, transaction) else {
      return try recorder.end(&session, as: outcome, transaction, caller)
    }
    let engine = FlowEngine(script)
    let (state, changes) = engine.end(session.state, as: outcome, at: transaction.now)
    session.state = state
    session.version += 1
    try SessionStore.update(session, from: session.version - 1, transaction)
    try recorder.record(changes, of: session, engine, transaction, caller)
  }

  // MARK: Records

  /// Ends a record if its end has come.
  private func endRecord(_ deadline: Deadline, _ known: inout KnownEndings, _ scope: Scope) async throws {
    let head = try await scope.read { try RecordStore.head(deadline.id, $0) }
    guard head.stands else { return try await dropDeadlines(of: head, scope) }
    let endings = try await endings(of: head, &known, scope)
    try await scope.write { transaction in
      try endings?.requireUnchanged(transaction)
      if deadline.kind == .lookAgain { try DeadlineStore.remove(deadline, transaction) }
      try expire(deadline.id, by: endings, transaction)
    }
  }

  /// Removes the deadlines of a record that does not stand. It reads no version: nothing can end the record any more,
  /// and a damaged version would keep these deadlines for ever. If staff confirm the record later, its deadline is set
  /// again.
  private func dropDeadlines(of head: ConsentRecord, _ scope: Scope) async throws {
    try await scope.write { transaction in
      guard try !RecordStore.locked(head.recordID, transaction).stands else {
        throw Refusal(.aborted, "changed_meanwhile", "record '\(head.recordID)' has changed meanwhile")
      }
      for kind in [Deadline.Kind.expiry, .lookAgain] {
        try DeadlineStore.remove(Deadline(kind: kind, id: head.recordID), transaction)
      }
    }
  }

  /// What the versions of documents demand, as it was read in this run.
  private struct KnownEndings {
    /// By document.
    var found: [String: ConsentEndings] = [:]
    /// For documents of which a version is damaged: the number above which versions were read, and the error.
    var damaged: [String: (above: Int32, error: DatabaseError)] = [:]
  }

  /// What the versions of a record's document demand of it; nil for a form. Versions may have megabytes, so they are
  /// read and verified once for many records, also if one of them is damaged.
  private func endings(
    of record: ConsentRecord, _ known: inout KnownEndings, _ scope: Scope
  ) async throws -> ConsentEndings? {
    let id = record.documentID
    guard !id.isEmpty else { return nil }
    // While the record waits for signatures, its own version is included: that it was stopped ends the record.
    let own = max(record.documentVersion, 1)
    let above = record.state == .awaitingSignatures ? own - 1 : own
    if let found = known.found[id], found.above <= above { return found }
    if let damaged = known.damaged[id], above <= damaged.above { throw damaged.error }
    do {
      let endings = try await scope.read { snapshot in
        try DocumentStore.endings(of: DocumentStore.document(id, snapshot), above: above, snapshot)
      }
      known.found[id] = endings
      return endings
    } catch let error as DatabaseError where error.code == .corrupt {
      known.damaged[id] = (above: above, error: error)
      throw error
    }
  }

  /// Records that a consent has expired; returns the record if it has.
  ///
  /// - Parameter endings: what ends the record besides its own validity; nil for a form.
  private func expire(_ id: String, by endings: ConsentEndings?, _ transaction: Transaction) throws {
    var record = try RecordStore.locked(id, transaction)
    try DeadlineStore.remove(Deadline(kind: .expiry, id: id), transaction)
    guard try hasEnded(record, by: endings, transaction) else { return }
    let entries = record.history.count
    record.append(
      RecordEntry(kind: .expired, at: Timestamp(transaction.now), actor: Self.actor))
    try RecordFiling.update(record, known: entries, transaction, by: Self.actor)
  }

  /// Whether a record that stands has ended. Its end may have moved since the deadline was set; if it is later now, the
  /// deadline is set again.
  private func hasEnded(
    _ record: ConsentRecord, by endings: ConsentEndings?, _ transaction: Transaction
  ) throws -> Bool {
    guard record.stands else { return false }
    // On a stopped version, nobody can give the signature for which the record waits.
    if record.state == .awaitingSignatures, endings?.stopped.contains(record.documentVersion) == true { return true }
    guard let end = ConsentCheck.end(of: record, endings?.demands ?? []) else { return false }
    if end > transaction.now { try DeadlineStore.set(.expiry, record.recordID, at: end, transaction) }
    return end <= transaction.now
  }

  /// Begins the subject's retention period in each study where no session or consent of theirs is open.
  private func reviewRetention(of subjectID: String, _ transaction: Transaction) throws {
    for study in try Retention.studies(of: try Subject.stored(subjectID), transaction) {
      try Retention.review(subjectID, in: study, transaction)
    }
  }

  /// Notes an event once a month that somebody in a study may have come of age. Only ListDueConsents says who has, from
  /// the vault: an event about the person would reveal a month of birth for as long as the log is kept.
  private func noteMajority(in studyID: String, _ transaction: Transaction) throws {
    try RecordStore.remindOfMajority(in: studyID, transaction)
    try transaction.note(ConsentEvent(kind: .consentDue, studyID: studyID, due: .majority), by: Self.actor)
  }

  // MARK: All records of a version

  /// Expires the consents to earlier versions, after the date of a version's demand has passed.
  private func demandConsent(_ deadline: Deadline, _ scope: Scope) async throws {
    let (document, version) = try await version(of: deadline, scope)
    if [.published, .retired].contains(version.state) {
      let endings = try await scope.read { try DocumentStore.endings(of: document, above: 0, $0) }
      for earlier in 1..<max(version.version, 1) {
        try await forEachStanding(of: earlier, endings, scope) { record, transaction in
          try expire(record.recordID, by: endings, transaction)
        }
      }
    }
    try await scope.write { try DeadlineStore.remove(deadline, $0) }
  }

  /// Ends the records that wait for a signature on a stopped version, and removes the signing tasks on it. A stop is
  /// final.
  private func endWaiting(_ deadline: Deadline, _ scope: Scope) async throws {
    let (document, version) = try await version(of: deadline, scope)
    let endings = try await scope.read { try DocumentStore.endings(of: document, above: version.version - 1, $0) }
    try await forEachStanding(of: version.version, endings, scope) { record, transaction in
      try expire(record.recordID, by: endings, transaction)
      try RecordStore.replaceTasks(record, [], transaction)
    }
    try await scope.write { try DeadlineStore.remove(deadline, $0) }
  }

  /// The version that a deadline names.
  private func version(
    of deadline: Deadline, _ scope: Scope
  ) async throws -> (document: ConsentDocument, version: DocumentVersion) {
    let parts = deadline.id.split(separator: "/")
    guard parts.count == 2, let number = Int32(parts[1]) else {
      throw Refusal(.invalid, "bad_deadline", "'\(deadline.id)' names no version")
    }
    return try await scope.read { snapshot in
      let document = try DocumentStore.document(String(parts[0]), snapshot)
      return (document: document, version: try DocumentStore.version(number, of: document, snapshot))
    }
  }

  /// Calls `look` for each record of a version that is in force or waits for signatures, in a transaction of its own.
  /// The endings were read and verified once before, since versions may have megabytes. If they have changed since,
  /// this throws, and the deadline stays due.
  private func forEachStanding(
    of version: Int32, _ endings: ConsentEndings, _ scope: Scope,
    _ look: @escaping @Sendable (ConsentRecord, Transaction) throws -> Void
  ) async throws {
    let document = endings.document
    for isTest in [false, true] {
      let query = RecordQuery(
        studyID: document.studyID, documentID: document.documentID, documentVersion: version,
        states: [.inForce, .awaitingSignatures], isTest: isTest)
      var token = ""
      repeat {
        let wanted = try PageRequest(size: Int32(Self.pageSize), token: token)
        let page = try await scope.read { try RecordSearch.list(query, wanted, $0) }
        for record in page.records {
          try await scope.write { transaction in
            try endings.requireUnchanged(transaction)
            try look(record, transaction)
          }
        }
        token = page.next
      } while !token.isEmpty
    }
  }
}
