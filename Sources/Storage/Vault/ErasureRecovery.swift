internal import Base

extension Database {
  /// Adds the facts of a committed change to the list. If that fails, it throws `.unfollowed`, and the process retries
  /// until the list has them; if the process ends before, they are added when the database is opened next.
  func writeDown(_ facts: [ErasureFact]) async throws {
    guard let list = context.erasures else { return }
    do {
      try await engine.pool.run { () throws(FileError) in try list.append(facts) }
    } catch {
      listing.begin { [weak self] in
        try await self?.engine.pool.run { () throws(FileError) in try list.append() }
      }
      throw DatabaseError(.unfollowed, "the change was made, and is not in the list of erasures yet: \(error)")
    }
  }

  /// Adds missing facts when a call is repeated, since its first call may have made an erasure that is not in the list
  /// yet.
  func writeDownAgain(in tenant: Tenant) async throws {
    if context.erasures?.lacks(tenant) == true { try await writeDown([]) }
  }

  /// Makes the database and its list agree. Facts that only the list has were lost when a backup was restored, and are
  /// repeated. Facts that only the database has were not written down before a crash, and are added to the list.
  ///
  /// - Parameters:
  ///   - closed: tenants whose log's key does not open. A fact of theirs that cannot be repeated does not end this,
  ///     since nothing is answered for these tenants. Any other failure does: an erased person would be served.
  ///   - report: called with each fact that could not be repeated for such a tenant. The fact stays in the list, and is
  ///     tried again when the database is opened next.
  ///   - alongside: called for each repeated erasure, in the same transaction, to delete the service's own data of the
  ///     subject.
  func recoverErasures(
    except closed: Set<Tenant>, reporting report: @Sendable (String) -> Void,
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void
  ) async throws {
    guard let list = context.erasures else { return }
    let listed = try list.facts()
    let stored = try await readAcrossTenants(within: .seconds(300)) { connection in
      try ErasureFact.all(in: connection)
    }
    let (listedNames, storedNames) = (Set(listed.map(\.name)), Set(stored.map(\.name)))
    // Lists of several machines may have been joined in any order, so the facts are repeated by kind: holds before
    // their lifting, and erasures after both.
    for kind in [ErasureFact.Kind.held, .lifted, .erased] {
      for fact in listed where fact.kind == kind && !storedNames.contains(fact.name) {
        do {
          try await scope(fact.tenant).write { try $0.redo(fact, alongside: alongside) }
        } catch let error as DatabaseError where error.isDamage && closed.contains(fact.tenant) {
          report("tenant '\(fact.tenant)': what the list of erasures says could not be done again: \(error.message)")
        }
      }
    }
    let unlisted = stored.filter { !listedNames.contains($0.name) }
    if !unlisted.isEmpty { try list.append(unlisted) }
  }
}

extension ErasureFact {
  /// All facts in the database.
  fileprivate static func all(in connection: any Connection) throws(DatabaseError) -> [ErasureFact] {
    var facts: [ErasureFact] = []
    for row in try connection.all(ErasureStatements.holds.query, []) {
      guard let (tenant, subject) = try owner(row) else { continue }
      let hold: String = try row.get("id")
      facts.append(
        ErasureFact(
          .held, tenant, subject, hold: hold, actor: try row.get("placed_by"), at: try row.get("placed_ms")))
      guard let lifted: Instant = try row.get("lifted_ms") else { continue }
      facts.append(
        ErasureFact(
          .lifted, tenant, subject, hold: hold, actor: try row.get("lifted_by", as: String?.self) ?? "", at: lifted))
    }
    for row in try connection.all(ErasureStatements.erased.query, []) {
      guard let (tenant, subject) = try owner(row) else { continue }
      facts.append(ErasureFact(.erased, tenant, subject, at: try row.get("erased_ms")))
    }
    return facts
  }

  private static func owner(_ row: Row) throws(DatabaseError) -> (Tenant, Subject)? {
    guard let tenant = Tenant(try row.get("tenant", as: String.self)),
      let subject = Subject(try row.get("subject", as: String.self))
    else { return nil }
    return (tenant, subject)
  }
}

extension Transaction {
  /// Repeats a fact that the restored state of the database does not have.
  fileprivate func redo(
    _ fact: ErasureFact, alongside: @Sendable (Transaction, Subject) throws -> Void
  ) throws {
    let subject = fact.subject
    switch fact.kind {
    case .erased:
      // A subject from after the backup has no row, and now gets one that says that it is erased.
      if try run(ErasureStatements.addErased, subject.id, fact.at, fact.at) == 0 {
        try vault.lock(subject)
        // Another process that opens the restored database at the same time may have repeated it first.
        if try vault.isErased(subject) { return }
      }
      try destroy(subject, at: fact.at)
      try alongside(self, subject)
      record(.erased, of: subject, [("actor", "storage"), ("reason", "restored")])
    case .held:
      try vault.lock(subject)
      if try vault.isErased(subject) { return }
      // Here, too, another process may have been first.
      if try all(VaultStatements.allHolds, subject.id).contains(where: { try $0.get("id") == fact.hold }) { return }
      // The reason was sealed in the database and is lost. The hold is valid without it, so damage does not prevent it.
      let reason = Array("placed after the backup that was restored".utf8)
      _ = try unlessDamaged { try vault.put(reason, as: HoldReason.placing(fact.hold), of: subject) }
      try run(VaultStatements.placeHold, fact.hold, subject.id, fact.actor, fact.at)
      record(.holdPlaced, of: subject, [("actor", fact.actor), ("hold", fact.hold), ("reason", "restored")])
    case .lifted:
      guard try first(VaultStatements.liftHold, fact.actor, fact.at, fact.hold) != nil else { return }
      // A hold is lifted without its reason, too.
      let reason = Array("lifted after the backup that was restored".utf8)
      _ = try unlessDamaged { try vault.put(reason, as: HoldReason.lifting(fact.hold), of: subject) }
      record(.holdLifted, of: subject, [("actor", fact.actor), ("hold", fact.hold), ("reason", "restored")])
    }
  }

  /// Destroys a subject's key and everything that is sealed with it.
  func destroy(_ subject: Subject, at time: Instant) throws(DatabaseError) {
    try run(VaultStatements.eraseItems, subject.id)
    try run(VaultStatements.eraseOpenings, subject.id)
    try run(VaultStatements.eraseAnswers, subject.id)
    try run(IndexStatements.erase, subject.id)
    guard try run(VaultStatements.eraseSubject, time, subject.id) == 1 else {
      throw DatabaseError(.corrupt, "subject '\(subject)' was not erased: something in the database keeps it from that")
    }
    if storedAbout == subject { storedAbout = nil }
    afterCommit.scrubsFiles = true
    recallAnswers()
  }
}

enum ErasureStatements {
  static let erased = Statement(
    acrossTenants: "storage.erasures.erased",
    "SELECT tenant, subject, erased_ms FROM storage_vault_subjects WHERE erased_ms IS NOT NULL "
      + "ORDER BY tenant, subject")
  static let holds = Statement(
    acrossTenants: "storage.erasures.holds",
    "SELECT tenant, id, subject, placed_by, placed_ms, lifted_by, lifted_ms FROM storage_vault_holds "
      + "ORDER BY tenant, placed_ms, id")
  static let addErased = Statement(
    own: "storage.erasures.add-erased",
    "INSERT INTO storage_vault_subjects (tenant, subject, created_ms, erased_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
}
