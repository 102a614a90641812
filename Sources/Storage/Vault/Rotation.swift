internal import Base

/// Replacing keys while services run: each step is a small transaction, and a crash may follow any of them.
///
/// - The master key: `rotateMasterKey` re-wraps every tenant's keys, and its log's; then the old master key can be
///   removed.
/// - A tenant's keys: `rotateKeys` makes a new one of the tenant and of each subject, and destroys the old ones.
/// - A subject's key: `rotateSubjectKey` seals all of a subject's data again.
extension Database {
  /// Wraps all tenants' keys, and those of their logs, under the current master key; returns how many were wrapped
  /// under another. It looks again until nothing is left that can be wrapped, since processes with the former key may
  /// make tenants meanwhile. A key that does not open keeps no other waiting: at the end this throws an error that says
  /// how many are left under which master key.
  ///
  /// - Parameter progress: told after each tenant how many there were so far.
  @discardableResult
  public func rotateMasterKey(progress: @Sendable (Int) -> Void = { _ in }) async throws -> Int {
    let current = Value.text(context.keys.current.fingerprint)
    var (count, before) = (0, -1)
    var problems: [String] = []
    while count > before {
      (before, problems) = (count, [])
      let names = try await readAcrossTenants { connection in
        try connection.all(RotationStatements.tenantsUnderOtherMaster.query, [current, current])
          .map { try $0.get("tenant", as: String.self) }
      }
      for name in names {
        let wrapped = try await rewrapKeys(of: name)
        count += wrapped.count
        problems += wrapped.problems
        progress(count)
      }
    }
    let left = try await readAcrossTenants { connection in
      try connection.all(RotationStatements.otherMasters.query, [current]).map { row in
        let (rows, master): (Int, String) = (try row.get("rows"), try row.get("master"))
        return "\(rows) under master key \(master)"
      }
    }
    if left.isEmpty { return count }
    throw DatabaseError(
      .wrongKey,
      "\(count) keys were wrapped under the current master key, and some are left: \(left.joined(separator: ", ")). "
        + "Keep these master keys. \(problems.first ?? "A process with a former key on top has made them meanwhile")")
  }

  /// Wraps one tenant's keys and that of its log: together, so that a tenant is under one master key whenever this is
  /// cut short. Those that do not open stay as they are.
  private func rewrapKeys(of name: String) async throws -> (count: Int, problems: [String]) {
    let (context, current) = (context, context.keys.current)
    return try await writeAcrossTenants { connection in
      guard let tenant = Tenant(name) else { return (0, ["'\(name)' has a key, and names no tenant"]) }
      let (own, fingerprint) = (Value.text(name), Value.text(current.fingerprint))
      var (count, problems) = (0, [String]())
      func attempt(_ rewrap: () throws(DatabaseError) -> Int) throws(DatabaseError) {
        do throws(DatabaseError) {
          count += try rewrap()
        } catch {
          guard error.isDamage else { throw error }
          problems.append(error.message)
        }
      }
      for row in try connection.all(RotationStatements.underOtherMaster.query, [own, fingerprint]) {
        try attempt { () throws(DatabaseError) in
          let (version, former): (Int64, [UInt8]) = (try row.get("version"), try row.get("wrapped"))
          let key = try context.vaultKey(in: row, of: tenant)
          let wrapped = current.key.wrap(key, at: .tenantKey(tenant, version))
          return try connection.run(
            RotationStatements.rewrapTenant.query,
            [.bytes(wrapped), fingerprint, own, .integer(version), .bytes(former)])
        }
      }
      for row in try connection.all(LogKeyStatements.underOtherMaster.query, [own, fingerprint]) {
        try attempt { () throws(DatabaseError) in
          let former: [UInt8] = try row.get("wrapped")
          let key = try context.logKey(in: row, of: tenant)
          let wrapped = current.key.wrap(key, at: .logKey(context.schema.name, tenant))
          return try connection.run(
            LogKeyStatements.rewrap.query, [.bytes(wrapped), fingerprint, own, .bytes(former)])
        }
      }
      return (count, problems)
    }
  }

  /// Every tenant that has keys.
  public func tenants() async throws -> [Tenant] {
    try await readAcrossTenants { connection in
      try connection.all(RotationStatements.tenants.query, []).compactMap { Tenant(try $0.get("tenant")) }
    }
  }

  /// Does something in every tenant that has keys. What fails in one keeps no other waiting: the first failure is
  /// thrown at the end.
  public func forEachTenant(_ body: @Sendable (Scope) async throws -> Void) async throws {
    var work = SeparateWork()
    for tenant in try await tenants() { try await work.attempt { try await body(scope(tenant)) } }
    try work.finish()
  }
}

extension Scope {
  /// What is left once all subjects are under the newest key: the answers, and the end of the old keys.
  func finishTenantRotation(to newest: Int64, by actor: String) async throws {
    while try await moveAnswers(to: newest) > 0 {}
    try await write { transaction in
      try transaction.run(RotationStatements.destroyTenantKeys, newest)
      transaction.afterCommit.scrubsFiles = true
      transaction.append(
        VaultRecord.keyRotated.rawValue, VaultRecord.encode([("version", String(newest)), ("actor", actor)]),
        to: VaultRecord.stream)
    }
  }

  private func moveAnswers(to newest: Int64) async throws -> Int {
    try await write { transaction in
      let key = try transaction.tenantKey(newest)
      let rows = try transaction.all(RotationStatements.answersUnderOlder, newest, 100)
      for row in rows {
        let (caller, name): (String, String) = (try row.get("caller"), try row.get("key"))
        let place = SealPlace.answer(transaction.tenant, caller: caller, key: name)
        let old = try transaction.tenantKey(try row.get("version"))
        guard let answer = old.key.open(try row.get("sealed"), at: place) else {
          throw DatabaseError(.corrupt, "the answer kept for an idempotency key does not open: its row was altered")
        }
        try transaction.run(RotationStatements.resealAnswer, newest, key.key.seal(answer, at: place), caller, name)
      }
      return rows.count
    }
  }

  /// Gives a subject a new key and seals everything of the subject's under it.
  public func rotateSubjectKey(_ subject: Subject, by actor: String) async throws {
    try await write { transaction in
      let vault = transaction.vault
      let old = try transaction.subjectKeyForWriting(subject)
      let items = try transaction.all(VaultStatements.items, subject.id)
      let commitments = try transaction.all(VaultStatements.commitments, subject.id)
      let tenantKey = try transaction.currentTenantKey()
      let new = SecretKey()
      for row in items {
        let name: String = try row.get("item")
        let plain = try vault.open(try row.get("sealed"), named: name, of: subject, old)
        let sealed = new.seal(plain, at: .item(transaction.tenant, subject, name))
        try transaction.run(VaultStatements.putItem, subject.id, name, sealed, transaction.now)
      }
      for row in commitments {
        let id: String = try row.get("id")
        let place = SealPlace.commitment(transaction.tenant, subject, id)
        guard let sealed: [UInt8] = try row.get("sealed"), let opening = old.open(sealed, at: place) else {
          throw DatabaseError(.corrupt, "commitment '\(id)' does not open: its row was altered")
        }
        try transaction.run(VaultStatements.resealCommitment, new.seal(opening, at: place), id)
      }
      // Stored answers are sealed under the old key. Without them a repeat would run the mutation again, so they are
      // moved too.
      for row in try transaction.all(RotationStatements.answersOfSubject, subject.id) {
        let (caller, name): (String, String) = (try row.get("caller"), try row.get("key"))
        let place = SealPlace.answer(transaction.tenant, caller: caller, key: name)
        guard let answer = old.open(try row.get("sealed"), at: place) else {
          throw DatabaseError(.corrupt, "the answer kept for an idempotency key does not open: its row was altered")
        }
        try transaction.run(
          RotationStatements.resealAnswer, Int64?.none, new.seal(answer, at: place), caller, name)
      }
      try transaction.resealEntries(of: subject, from: old, to: new)
      let wrapped = tenantKey.key.wrap(new, at: .subjectKey(transaction.tenant, subject))
      try transaction.run(VaultStatements.rewrapSubject, tenantKey.version, wrapped, subject.id)
      transaction.afterCommit.scrubsFiles = true
      transaction.record(.keyRotated, of: subject, [("actor", actor)])
    }
  }
}

enum RotationStatements {
  static let tenantsUnderOtherMaster = Statement(
    acrossTenants: "storage.rotation.tenants-under-other-master",
    "SELECT tenant FROM storage_vault_tenants WHERE master <> ? "
      + "UNION SELECT tenant FROM storage_log_keys WHERE master <> ? ORDER BY tenant")
  static let otherMasters = Statement(
    acrossTenants: "storage.rotation.other-masters",
    "SELECT master, count(*) AS rows FROM (SELECT master FROM storage_vault_tenants "
      + "UNION ALL SELECT master FROM storage_log_keys) AS named WHERE master <> ? GROUP BY master ORDER BY master")
  static let underOtherMaster = Statement(
    acrossTenants: "storage.rotation.under-other-master",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = ? AND master <> ? ORDER BY version")
  static let rewrapTenant = Statement(
    acrossTenants: "storage.rotation.rewrap-tenant",
    "UPDATE storage_vault_tenants SET wrapped = ?, master = ? WHERE tenant = ? AND version = ? AND wrapped = ?")
  static let tenants = Statement(
    acrossTenants: "storage.rotation.tenants", "SELECT DISTINCT tenant FROM storage_vault_tenants ORDER BY tenant")
  static let answersUnderOlder = Statement(
    own: "storage.rotation.answers-under-older",
    "SELECT caller, key, version, sealed FROM storage_idempotency WHERE tenant = {tenant} AND version < ? LIMIT ? "
      + "FOR UPDATE")
  static let answersOfSubject = Statement(
    own: "storage.rotation.answers-of-subject",
    "SELECT caller, key, sealed FROM storage_idempotency WHERE tenant = {tenant} AND subject = ?")
  static let resealAnswer = Statement(
    own: "storage.rotation.reseal-answer",
    "UPDATE storage_idempotency SET version = ?, sealed = ? WHERE tenant = {tenant} AND caller = ? AND key = ?")
  static let destroyTenantKeys = Statement(
    own: "storage.rotation.destroy-tenant-keys",
    """
    DELETE FROM storage_vault_tenants WHERE tenant = {tenant} AND version > 0 AND version < ?
      AND version NOT IN (
        SELECT s.version FROM storage_vault_subjects s WHERE s.tenant = {tenant} AND s.version IS NOT NULL)
      AND version NOT IN (
        SELECT i.version FROM storage_idempotency i WHERE i.tenant = {tenant} AND i.version IS NOT NULL)
    """)
}
