internal import Base

/// Finds subjects by a text that is known of them, such as an e-mail address or a device's user name.
///
/// Besides the text, which is sealed like all personal data, an entry's row has a keyed hash of the text, by which it
/// is found. Without the tenant's index key the hash reveals nothing, except that two rows have the same text. The
/// index key has versions, and is replaced with the other keys: each entry is then hashed again from its text.
extension Vault {
  /// The subjects that have this text under a label, in the order of their identifiers. Throws if the sealed text of a
  /// found row is another one: events commit only to the sealed text, so the hash may have been altered.
  public func find(_ text: String, as label: String) throws(DatabaseError) -> [Subject] {
    var found: Set<String> = []
    // While the index key is being replaced, some entries are still hashed with the old one.
    for row in try access.all(IndexStatements.keys) {
      let token = try access.unwrapTenantKey(row).token(text, as: label)
      for row in try access.all(IndexStatements.find, label, token) {
        let name: String = try row.get("subject")
        guard let subject = Subject(name),
          let indexed = try access.unwrapSubjectKey(row, of: subject).open(
            try row.get("sealed"), at: .indexed(access.tenant, subject, label)),
          indexed == Array(text.utf8)
        else { throw altered(label, of: name) }
        found.insert(name)
      }
    }
    return found.sorted().compactMap { Subject($0) }
  }

  /// The labels and texts by which a subject can be found. Throws if an entry was altered.
  func entries(of subject: Subject) throws(DatabaseError) -> [(label: String, text: [UInt8])] {
    guard let key = try access.subjectKey(subject) else { return [] }
    var entries: [(label: String, text: [UInt8])] = []
    for row in try access.all(IndexStatements.ofSubject, subject.id) {
      let label: String = try row.get("label")
      let place = SealPlace.indexed(access.tenant, subject, label)
      let indexKey = try access.tenantKey(try row.get("version"))
      guard let text = key.open(try row.get("sealed"), at: place),
        indexKey.token(String(decoding: text, as: UTF8.self), as: label) == (try row.get("token", as: [UInt8].self))
      else { throw altered(label, of: subject.id) }
      entries.append((label, text))
    }
    return entries
  }

  private func altered(_ label: String, of subject: String) -> DatabaseError {
    DatabaseError(.corrupt, "index entry '\(label)' of subject '\(subject)' is not what it was: it was altered")
  }
}

extension Vault where Access == Transaction {
  /// Adds a text under a label by which a subject can be found. It replaces the subject's earlier text under that
  /// label.
  public func index(_ text: String, as label: String, of subject: Subject) throws(DatabaseError) {
    let key = try access.subjectKeyForWriting(subject)
    let indexKey = try access.newestIndexKey()
    let sealed = key.seal(Array(text.utf8), at: .indexed(access.tenant, subject, label))
    try access.run(
      IndexStatements.put, label, subject.id, indexKey.token(text, as: label), indexKey.version, sealed)
  }
}

extension TenantKey {
  /// The keyed hash of a text under a label.
  fileprivate func token(_ text: String, as label: String) -> [UInt8] {
    var bytes: [UInt8] = []
    ValueCoding.append(.text(label), to: &bytes)
    ValueCoding.append(.text(text), to: &bytes)
    return Array(key.hash(bytes).prefix(16))
  }
}

extension SealPlace {
  static func indexed(_ tenant: Tenant, _ subject: Subject, _ label: String) -> SealPlace {
    SealPlace("indexed", tenant.id, subject.id, label)
  }
}

extension Transaction {
  /// The newest of the tenant's index keys; makes one if there is none. Index keys have the versions 0, -1, -2 …, the
  /// tenant's other keys 1, 2, 3 ….
  fileprivate func newestIndexKey() throws(DatabaseError) -> TenantKey {
    if let row = try first(IndexStatements.newestKey) { return try unwrapTenantKey(row) }
    try addTenantKey(version: 0)
    return try unwrapTenantKey(try one(IndexStatements.newestKey))
  }

  /// Seals a subject's entries with another key.
  func resealEntries(of subject: Subject, from old: SecretKey, to new: SecretKey) throws(DatabaseError) {
    for row in try all(IndexStatements.ofSubject, subject.id) {
      let label: String = try row.get("label")
      let place = SealPlace.indexed(tenant, subject, label)
      guard let text = old.open(try row.get("sealed"), at: place) else {
        throw DatabaseError(.corrupt, "index entry '\(label)' of subject '\(subject)' does not open: it was altered")
      }
      try run(IndexStatements.reseal, new.seal(text, at: place), label, subject.id)
    }
  }
}

/// Replaces the index key, in small steps while services run. As with the other keys, a row's version of the key says
/// whether it is done, so that the next run continues after a crash.
extension Scope {
  func rotateIndexKey(by actor: String) async throws {
    guard let newest = try await indexRotationTarget() else { return }
    while try await moveEntries(to: newest) > 0 {}
    try await write { transaction in
      try transaction.run(IndexStatements.destroyKeys, newest)
      transaction.afterCommit.scrubsFiles = true
      transaction.append(
        VaultRecord.keyRotated.rawValue, VaultRecord.encode([("index_version", String(newest)), ("actor", actor)]),
        to: VaultRecord.stream)
    }
  }

  /// The version to move all entries to: a new one, unless an interrupted rotation has made one. nil if the tenant has
  /// no index key.
  private func indexRotationTarget() async throws -> Int64? {
    try await write { transaction in
      let keys = try transaction.all(IndexStatements.keys)
      guard let newest: Int64 = try keys.first?.get("version") else { return nil }
      if keys.count > 1 { return newest }
      let next = try transaction.keyVersion(after: newest, step: -1)
      try transaction.addTenantKey(version: next)
      return next
    }
  }

  private func moveEntries(to newest: Int64) async throws -> Int {
    try await write { transaction in
      let key = try transaction.tenantKey(newest)
      let rows = try transaction.all(IndexStatements.underOlder, newest, 100)
      for row in rows {
        let (label, name): (String, String) = (try row.get("label"), try row.get("subject"))
        guard let subject = Subject(name), let subjectKey = try transaction.subjectKey(subject),
          let text = subjectKey.open(try row.get("sealed"), at: .indexed(transaction.tenant, subject, label))
        else {
          throw DatabaseError(.corrupt, "index entry '\(label)' of subject '\(name)' does not open: it was altered")
        }
        let token = key.token(String(decoding: text, as: UTF8.self), as: label)
        try transaction.run(IndexStatements.move, token, newest, label, name)
      }
      return rows.count
    }
  }
}

enum IndexStatements {
  /// The newest first.
  static let keys = Statement(
    own: "storage.index.keys",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} AND version <= 0 "
      + "ORDER BY version")
  /// Locks the key's row, so that a rotation cannot destroy the key before the entry that uses it is committed.
  static let newestKey = Statement(
    own: "storage.index.newest-key",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} AND version <= 0 "
      + "ORDER BY version LIMIT 1 FOR SHARE")
  static let put = Statement(
    own: "storage.index.put",
    "INSERT INTO storage_vault_index (tenant, label, subject, token, version, sealed) VALUES ({tenant}, ?, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, label, subject) DO UPDATE SET token = excluded.token, version = excluded.version, "
      + "sealed = excluded.sealed")
  /// Reads an entry together with the subject's wrapped key: a rotation between two queries could make them differ.
  static let find = Statement(
    own: "storage.index.find",
    "SELECT i.subject, i.sealed, s.version, s.wrapped FROM storage_vault_index i "
      + "JOIN storage_vault_subjects s ON s.tenant = {tenant} AND s.subject = i.subject "
      + "WHERE i.tenant = {tenant} AND i.label = ? AND i.token = ?")
  static let ofSubject = Statement(
    own: "storage.index.of-subject",
    "SELECT label, token, version, sealed FROM storage_vault_index WHERE tenant = {tenant} AND subject = ? "
      + "ORDER BY label")
  static let reseal = Statement(
    own: "storage.index.reseal",
    "UPDATE storage_vault_index SET sealed = ? WHERE tenant = {tenant} AND label = ? AND subject = ?")
  static let underOlder = Statement(
    own: "storage.index.under-older",
    "SELECT label, subject, sealed FROM storage_vault_index WHERE tenant = {tenant} AND version > ? "
      + "ORDER BY version, label, subject LIMIT ? FOR UPDATE")
  static let move = Statement(
    own: "storage.index.move",
    "UPDATE storage_vault_index SET token = ?, version = ? WHERE tenant = {tenant} AND label = ? AND subject = ?")
  static let erase = Statement(
    own: "storage.index.erase", "DELETE FROM storage_vault_index WHERE tenant = {tenant} AND subject = ?")
  static let destroyKeys = Statement(
    own: "storage.index.destroy-keys",
    """
    DELETE FROM storage_vault_tenants WHERE tenant = {tenant} AND version <= 0 AND version > ?
      AND version NOT IN (SELECT i.version FROM storage_vault_index i WHERE i.tenant = {tenant})
    """)
}
