internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Records changes that time alone brings: sessions that were idle too long, consents whose validity or re-consent date
/// has passed, months in which subjects may have come of age. Answers never wait for this task, since they compare with
/// the clock.
struct Expiry: Sendable {
  private let database: Database
  private let scripts: ScriptCache
  private let heads: RecordHeads
  private let recorder: DecisionRecorder

  init(_ parts: ConsentParts) {
    database = parts.data.database
    scripts = parts.scripts
    heads = parts.heads
    recorder = parts.recorder
  }

  private static let pageSize = 100
  /// The name on record for changes that time alone has made.
  private static let actor = "system"

  static func reconsentID(_ documentID: String, _ version: Int32) -> String { "\(documentID)/\(version)" }

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
    if deadline.kind == .reconsent { return try await demandConsent(deadline, scope) }
    let record: ConsentRecord? = try await scope.write { transaction in
      switch deadline.kind {
      case .session: try endSession(deadline, transaction)
      case .expiry: return try expire(deadline.id, transaction)
      case .comingOfAge: try noteMajority(in: deadline.id, transaction)
      case .proofs:
        try SealProofJob.beginAgain(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .archive:
        try SealArchiveJob.begin(CopyName(reading: deadline.id), transaction)
        try DeadlineStore.remove(deadline, transaction)
      case .reconsent: break
      }
      return nil
    }
    if let record { heads.forget([record], of: scope.tenant.id) }
  }

  // MARK: Sessions

  private func endSession(_ deadline: Deadline, _ transaction: Transaction) throws {
    guard let plain = try SessionStore.plain(deadline.id, transaction), plain.outcome == .unspecified else {
      return try DeadlineStore.remove(deadline, transaction)
    }
    guard plain.expiresAt <= transaction.now else {
      return try DeadlineStore.set(.session, plain.id, at: plain.expiresAt, transaction)
    }
    // Erased by a restore, which knows the vault alone.
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

  /// Records that a consent has expired; returns the record if it has.
  private func expire(_ id: String, _ transaction: Transaction) throws -> ConsentRecord? {
    var record = try RecordStore.locked(id, transaction)
    try DeadlineStore.remove(Deadline(kind: .expiry, id: id), transaction)
    guard record.state == .inForce || record.state == .awaitingSignatures else { return nil }
    let known = record.history.count
    record.append(
      RecordEntry(kind: .expired, at: Timestamp(transaction.now), actor: Self.actor))
    try RecordFiling.update(record, known: known, transaction, by: Self.actor)
    return record
  }

  /// Says once a month that somebody may have come of age. Whether somebody has, and who, is told by the list of who is
  /// due, from the vault: an event at the time would tell a month of birth for as long as the log is kept.
  private func noteMajority(in studyID: String, _ transaction: Transaction) throws {
    try RecordStore.remindOfMajority(in: studyID, transaction)
    try transaction.note(ConsentEvent(kind: .consentDue, studyID: studyID, due: .majority), by: Self.actor)
  }

  /// The date of a version's demand has passed: consents to earlier versions have expired.
  private func demandConsent(_ deadline: Deadline, _ scope: Scope) async throws {
    let parts = deadline.id.split(separator: "/")
    guard parts.count == 2, let number = Int32(parts[1]) else {
      throw Refusal(.invalid, "bad_deadline", "'\(deadline.id)' names no version")
    }
    let documentID = String(parts[0])
    let (document, version) = try await scope.read {
      (try DocumentStore.document(documentID, $0), try DocumentStore.version(documentID, number, $0))
    }
    if [.published, .retired].contains(version.state) {
      for earlier in 1..<max(number, 1) {
        for isTest in [false, true] {
          try await expireAll(
            RecordQuery(
              studyID: document.studyID, documentID: documentID, documentVersion: earlier,
              states: [.inForce, .awaitingSignatures], isTest: isTest), scope)
        }
      }
    }
    try await scope.write { try DeadlineStore.remove(deadline, $0) }
  }

  private func expireAll(_ query: RecordQuery, _ scope: Scope) async throws {
    var token = ""
    repeat {
      let wanted = try PageRequest(size: Int32(Self.pageSize), token: token)
      let page = try await scope.read { try RecordSearch.list(query, wanted, $0) }
      for record in page.records {
        let expired = try await scope.write { try expire(record.recordID, $0) }
        heads.forget(expired.map { [$0] } ?? [], of: scope.tenant.id)
      }
      token = page.next
    } while !token.isEmpty
  }
}
