internal import Base

/// A tenant's key, in one of its versions.
struct TenantKey {
  let version: Int64
  let key: SecretKey
}

/// Reads and makes keys: a subject's key is wrapped with its tenant's key, which is wrapped with the master key.
///
/// Every transaction reads the keys again, so that an erasure or a rotation by another process takes effect at once.
extension Snapshot {
  /// The subject's key; nil if nothing was ever stored about the subject. Throws `.erased` after an erasure.
  func subjectKey(_ subject: Subject) throws(DatabaseError) -> SecretKey? {
    if let last = lastSubjectKey, last.subject == subject { return last.key }
    guard let row = try first(VaultStatements.subject, subject.id), try !row.hasNoKeyYet() else { return nil }
    let key = try unwrapSubjectKey(row, of: subject)
    if !(self is Transaction) { lastSubjectKey = (subject, key) }
    return key
  }

  /// Reads something together with its key, and again if it does not open or its key is gone. On PostgreSQL each
  /// statement of a write sees what was committed before it: a rotation may have replaced the key between two of them.
  func rereading<Result>(
    _ read: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard self is Transaction else { return try read() }
    for _ in 1..<3 {
      do throws(DatabaseError) {
        return try read()
      } catch {
        guard error.code == .corrupt || error.code == .unexpectedRow else { throw error }
      }
    }
    return try read()
  }

  func unwrapSubjectKey(_ row: Row, of subject: Subject) throws(DatabaseError) -> SecretKey {
    guard let wrapped: [UInt8] = try row.get("wrapped"), let version: Int64 = try row.get("version") else {
      throw DatabaseError(.erased, "the data of subject '\(subject)' has been erased")
    }
    let tenantKey = try tenantKey(version)
    guard let key = tenantKey.key.unwrap(wrapped, at: .subjectKey(tenant, subject)) else {
      throw DatabaseError(.corrupt, "the key of subject '\(subject)' does not open: its row was altered")
    }
    return key
  }

  func tenantKey(_ version: Int64) throws(DatabaseError) -> TenantKey {
    if let known = tenantKeys[version] { return known }
    let row = try one(VaultStatements.tenantKey, version)
    return try unwrapTenantKey(row)
  }

  func unwrapTenantKey(_ row: Row) throws(DatabaseError) -> TenantKey {
    let version: Int64 = try row.get("version")
    let tenantKey = TenantKey(version: version, key: try context.vaultKey(in: row, of: tenant))
    tenantKeys[version] = tenantKey
    return tenantKey
  }
}

extension Row {
  /// Whether a subject's row has no key although the subject was not erased: it was made for a hold alone
  /// (`ErasureStatements.addWithoutKey`), and gets a key with the first data.
  fileprivate func hasNoKeyYet() throws(DatabaseError) -> Bool {
    guard try get("wrapped", as: [UInt8]?.self) == nil else { return false }
    return try get("erased_ms", as: Instant?.self) == nil
  }
}

extension DatabaseContext {
  /// Unwraps a tenant's key or index key. A failure concerns this tenant's row alone, since `checkMasterKeys` has
  /// verified the master keys when the database was opened.
  func vaultKey(in row: Row, of tenant: Tenant) throws(DatabaseError) -> SecretKey {
    let (version, name): (Int64, String) = (try row.get("version"), try row.get("master"))
    let place = SealPlace.tenantKey(tenant, version)
    if let key = keys.unwrap(try row.get("wrapped"), by: name, at: place) { return key }
    guard keys.known(name) != nil else {
      throw DatabaseError(
        .wrongKey,
        "key \(version) of tenant '\(tenant)' was sealed with master key \(name), which was not given: give it as well "
          + "if it was replaced; otherwise the row was altered")
    }
    throw DatabaseError(.corrupt, "key \(version) of tenant '\(tenant)' does not open: its row was altered")
  }

  /// What is wrong with a tenant's key, or that of its log, that opens: no given master key has the name that stands
  /// beside it. nil where nothing is wrong.
  func problemWithName(in row: Row) throws(DatabaseError) -> String? {
    let name: String = try row.get("master")
    if keys.known(name) != nil { return nil }
    return "a key opens, and the name of its master key, \(name), is that of no key that was given: its row was "
      + "altered; assent data rotate writes the right name"
  }
}

extension Transaction {
  /// The tenant's newest key; makes one if there is none.
  func currentTenantKey() throws(DatabaseError) -> TenantKey {
    if let row = try first(VaultStatements.newestTenantKey) { return try unwrapTenantKey(row) }
    try addTenantKey(version: 1)
    // Another transaction may have stored a key first, so the key is read from the table.
    return try unwrapTenantKey(try one(VaultStatements.newestTenantKey))
  }

  /// The version of the key that follows another one; index keys count downwards.
  func keyVersion(after version: Int64, step: Int64 = 1) throws(DatabaseError) -> Int64 {
    let (next, isOver) = version.addingReportingOverflow(step)
    guard !isOver else {
      throw DatabaseError(
        .corrupt, "tenant '\(tenant)': no key can follow that of version \(version): its row was altered")
    }
    return next
  }

  func addTenantKey(version: Int64) throws(DatabaseError) {
    let master = context.keys.current
    let wrapped = master.key.wrap(SecretKey(), at: .tenantKey(tenant, version))
    try run(VaultStatements.addTenantKey, version, wrapped, master.fingerprint, now)
  }

  /// The subject's key; makes one if there is none. The subject's row stays locked until the commit, so that the
  /// subject cannot be erased meanwhile.
  func subjectKeyForWriting(_ subject: Subject) throws(DatabaseError) -> SecretKey {
    storedAbout = storedAbout ?? subject
    if let row = try first(VaultStatements.lockedSubject, subject.id) {
      if try !row.hasNoKeyYet() { return try unwrapSubjectKey(row, of: subject) }
      let (version, wrapped) = try newKey(of: subject)
      try run(VaultStatements.rewrapSubject, version, wrapped, subject.id)
    } else {
      try addKey(of: subject)
    }
    return try unwrapSubjectKey(try one(VaultStatements.lockedSubject, subject.id), of: subject)
  }

  /// Makes a key for a subject without one. If another transaction has begun to make one, this waits for its end and,
  /// if it commits, changes nothing.
  func addKey(of subject: Subject) throws(DatabaseError) {
    let (version, wrapped) = try newKey(of: subject)
    try run(VaultStatements.addSubject, subject.id, version, wrapped, now)
  }

  /// A key for a subject, wrapped by the tenant's newest, and the version of that one.
  private func newKey(of subject: Subject) throws(DatabaseError) -> (version: Int64, wrapped: [UInt8]) {
    let tenantKey = try currentTenantKey()
    return (tenantKey.version, tenantKey.key.wrap(SecretKey(), at: .subjectKey(tenant, subject)))
  }
}

extension SealPlace {
  static func tenantKey(_ tenant: Tenant, _ version: Int64) -> SealPlace {
    SealPlace("tenant key", tenant.id, String(version))
  }

  static func subjectKey(_ tenant: Tenant, _ subject: Subject) -> SealPlace {
    SealPlace("subject key", tenant.id, subject.id)
  }

  static func item(_ tenant: Tenant, _ subject: Subject, _ item: String) -> SealPlace {
    SealPlace("item", tenant.id, subject.id, item)
  }

  static func commitment(_ tenant: Tenant, _ subject: Subject, _ id: String) -> SealPlace {
    SealPlace("commitment", tenant.id, subject.id, id)
  }

  static func answer(_ tenant: Tenant, caller: String, key: String) -> SealPlace {
    SealPlace("answer", tenant.id, caller, key)
  }

  static func answerByCredential(_ tenant: Tenant, caller: String, key: String) -> SealPlace {
    SealPlace("answer-by-credential", tenant.id, caller, key)
  }
}
