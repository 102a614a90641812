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
      while true {
        let limit = Self.pageSize + failed.count
        let due = try await scope.read { try DeadlineStore.due(limit: limit, $0) }.filter { !failed.contains($0) }
        if due.isEmpty { break }
        for deadline in due {
          try Task.checkCancellation()
          do {
            try await settle(deadline, scope)
          } catch {
            failed.insert(deadline)
            // Another change may have been made at the same moment. The deadline is checked again in the next run, and
            // this is no failure.
            if (error as? Refusal)?.kind != .aborted { failure = failure ?? error }
          }
        }
      }
    }
    if let failure { throw failure }
  }

  private func settle(_ deadline: Deadline, _ scope: Scope) async throws {
    switch deadline.kind {
    case .expiry: return try await scope.write { try expire(deadline.id, $0) }
    case .reconsent: return try await demandConsent(deadline, scope)
    case .stopped: return try await endWaiting(deadline, scope)
    case .endings: return try await setReminders(deadline, scope)
    default: break
    }
    try await scope.write { transaction in
      switch deadline.kind {
      case .session: try endSession(deadline, transaction)
      case .comingOfAge: try noteMajority(in: deadline.id, transaction)
      case .time, .proofs, .archive, .archiveTime:
        try SealStepJob.begin(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .ending: try EndingReminder.settle(deadline, by: Self.actor, transaction)
      case .unfinished: try UnfinishedReminder.settle(deadline, by: Self.actor, transaction)
      case .expiry, .reconsent, .stopped, .endings: break
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

  /// Records that a consent has expired, if it has. If staff confirm a record that does not stand, its deadline is set
  /// again.
  private func expire(_ id: String, _ transaction: Transaction) throws {
    var record = try RecordStore.locked(id, transaction)
    try DeadlineStore.remove(Deadline(kind: .expiry, id: id), transaction)
    guard let kind = try ended(record, transaction) else { return }
    let entries = record.history.count
    record.append(RecordEntry(kind: kind, at: Timestamp(transaction.now), actor: Self.actor))
    try RecordFiling.update(record, known: entries, transaction, by: Self.actor)
  }

  /// How a record that stands has ended; nil if it has not. Its end may have moved since the deadline was set; if it is
  /// later now, the deadline is set again.
  private func ended(_ record: ConsentRecord, _ transaction: Transaction) throws -> EntryKind? {
    guard record.stands else { return nil }
    // On a stopped version, nobody can give the signature for which the record waits.
    if record.state == .awaitingSignatures,
      try DocumentStore.state(of: record.documentID, record.documentVersion, transaction) == .stopped
    {
      return .expired
    }
    let standing = try DocumentStore.standing(record, transaction)
    switch standing.state(at: transaction.now) {
    case .expired: return .expired
    case .reconsentDue: return .reconsentDue
    default:
      if let end = standing.end { try DeadlineStore.set(.expiry, record.recordID, at: end, transaction) }
      return nil
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
      for earlier in 1..<max(version.version, 1) {
        try await forEachStanding(of: earlier, document, scope) { record, transaction in
          try expire(record.recordID, transaction)
        }
      }
    }
    try await scope.write { try DeadlineStore.remove(deadline, $0) }
  }

  /// Sets the reminders of consents that a version ends by a date. It may begin again after some of them have come:
  /// only those ahead are set.
  private func setReminders(_ deadline: Deadline, _ scope: Scope) async throws {
    let (document, version) = try await version(of: deadline, scope)
    for earlier in 1..<max(version.version, 1) {
      try await forEachStanding(of: earlier, document, scope) { record, transaction in
        try EndingReminder.set(for: record, transaction)
      }
    }
    try await scope.write { try DeadlineStore.remove(deadline, $0) }
  }

  /// Ends the records that wait for a signature on a stopped version, and removes the signing tasks on it. A stop is
  /// final.
  private func endWaiting(_ deadline: Deadline, _ scope: Scope) async throws {
    let (document, version) = try await version(of: deadline, scope)
    try await forEachStanding(of: version.version, document, scope) { record, transaction in
      try expire(record.recordID, transaction)
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
      let document = try DocumentStore.named(String(parts[0]), snapshot)
      return (document: document, version: try DocumentStore.version(number, of: document, snapshot))
    }
  }

  /// Calls `look` for each record of a version that is in force or waits for signatures, in a transaction of its own.
  private func forEachStanding(
    of version: Int32, _ document: ConsentDocument, _ scope: Scope,
    _ look: @escaping @Sendable (ConsentRecord, Transaction) throws -> Void
  ) async throws {
    for isTest in [false, true] {
      let query = RecordQuery(
        studyID: document.studyID, documentID: document.documentID, documentVersion: version,
        states: [.inForce, .awaitingSignatures], isTest: isTest)
      var token = ""
      repeat {
        let wanted = try PageRequest(size: Int32(Self.pageSize), token: token)
        let page = try await scope.read { try RecordSearch.list(query, wanted, $0) }
        for record in page.records {
          try await scope.write { try look(record, $0) }
        }
        token = page.next
      } while !token.isEmpty
    }
  }
}
