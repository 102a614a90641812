internal import Base

extension Database {
  /// Adds to the list what was done. If this fails, the change was made all the same. It is tried again until the list
  /// has it; where the process ends before, the next opening of the database adds it.
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

  /// The same for a repeat, whose first call may have erased what is not in the list yet.
  func writeDownAgain(in tenant: Tenant) async throws {
    if context.erasures?.lacks(tenant) == true { try await writeDown([]) }
  }

  /// Makes the database and its list say the same. What only the list has was lost with a restored backup, and is done
  /// again; what only the database has was not written down before a crash, and is added to the list.
  ///
  /// Where a tenant's data are damaged, all others' erasures are done again first; then this throws. The database is
  /// not opened, since it would answer about somebody who was erased.
  ///
  /// - Parameter alongside: what belongs to the erasure of a subject, in the same transaction.
  func recoverErasures(alongside: @escaping @Sendable (Transaction, Subject) throws -> Void) async throws {
    guard let list = context.erasures else { return }
    let listed = try list.facts()
    let stored = try await readAcrossTenants(within: .seconds(300)) { connection in
      try ErasureFact.all(in: connection)
    }
    let (listedNames, storedNames) = (Set(listed.map(\.name)), Set(stored.map(\.name)))
    // Lists of several machines may have been put together in any order: a hold comes before its end, and an erasure
    // after both.
    var damage: DatabaseError?
    for kind in [ErasureFact.Kind.held, .lifted, .erased] {
      for fact in listed where fact.kind == kind && !storedNames.contains(fact.name) {
        do {
          try await scope(fact.tenant).write { try $0.redo(fact, alongside: alongside) }
        } catch let error as DatabaseError where error.isDamage {
          let activity = "what the list of erasures says of tenant '\(fact.tenant)' cannot be done again"
          damage = damage ?? error.during(activity)
        }
      }
    }
    let unlisted = stored.filter { !listedNames.contains($0.name) }
    if !unlisted.isEmpty { try list.append(unlisted) }
    if let damage { throw damage }
  }
}

extension ErasureFact {
  /// All that a database says.
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
  /// Does again what an older state of the database does not know of.
  fileprivate func redo(
    _ fact: ErasureFact, alongside: @Sendable (Transaction, Subject) throws -> Void
  ) throws {
    let subject = fact.subject
    switch fact.kind {
    case .erased:
      // A subject that came after the backup has no row; from now on it has one that says that it is erased.
      if try run(ErasureStatements.addErased, subject.id, fact.at, fact.at) == 0 {
        try vault.lock(subject)
        // Of several processes that open a restored database at a time, another one may have been first.
        if try vault.isErased(subject) { return }
      }
      try destroy(subject, at: fact.at)
      record(.erased, of: subject, [("actor", "storage"), ("reason", "restored")])
      // Last, as in a call: the last event of a transaction commits to rows that have no event of their own.
      try alongside(self, subject)
    case .held:
      // A subject that came after the backup gets a row without a key: the tenant's key, which would wrap it, may be
      // damaged, and the hold has to count all the same.
      if try run(ErasureStatements.addWithoutKey, subject.id, now) == 0 { try vault.lock(subject) }
      if try vault.isErased(subject) { return }
      // Another process may have been first here too.
      if try all(VaultStatements.allHolds, subject.id).contains(where: { try $0.get("id") == fact.hold }) { return }
      // The reason was sealed in what the restored state does not have. A hold counts without one, too.
      let reason = Array("placed after the backup that was restored".utf8)
      _ = try unlessDamaged { try vault.put(reason, as: HoldReason.placing(fact.hold), of: subject) }
      try run(VaultStatements.placeHold, fact.hold, subject.id, fact.actor, fact.at)
      record(.holdPlaced, of: subject, [("actor", fact.actor), ("hold", fact.hold), ("reason", "restored")])
    case .lifted:
      guard try first(VaultStatements.liftHold, fact.actor, fact.at, fact.hold) != nil else { return }
      let reason = Array("lifted after the backup that was restored".utf8)
      _ = try unlessDamaged { try vault.put(reason, as: HoldReason.lifting(fact.hold), of: subject) }
      record(.holdLifted, of: subject, [("actor", fact.actor), ("hold", fact.hold), ("reason", "restored")])
    }
  }

  /// Destroys a subject's key and everything that is sealed under it.
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
    signsHead()
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
  static let addWithoutKey = Statement(
    own: "storage.erasures.add-without-key",
    "INSERT INTO storage_vault_subjects (tenant, subject, created_ms) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
  static let addErased = Statement(
    own: "storage.erasures.add-erased",
    "INSERT INTO storage_vault_subjects (tenant, subject, created_ms, erased_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, subject) DO NOTHING")
}
