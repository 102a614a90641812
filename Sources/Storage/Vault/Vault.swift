public import Base

/// The only place for personal data. They are sealed with a key of the subject's own, which an erasure destroys.
///
/// `snapshot.vault` reads; `transaction.vault` writes as well.
public struct Vault<Access: Snapshot> {
  let access: Access

  /// The data stored about a subject under a name; nil if there are none. Throws `.erased` after an erasure.
  public func get(_ item: String, of subject: Subject) throws(DatabaseError) -> [UInt8]? {
    try access.rereading { () throws(DatabaseError) in
      guard let key = try access.subjectKey(subject) else { return nil }
      guard let row = try access.first(VaultStatements.item, subject.id, item) else { return nil }
      return try open(try row.get("sealed"), named: item, of: subject, key)
    }
  }

  /// The row of an item, to be verified; nil if there is none, as after an erasure.
  ///
  /// - Parameter stream: the stream of the events that commit to it.
  public func row(of item: String, about subject: Subject, in stream: String) throws(DatabaseError) -> CommittedRow? {
    guard try access.first(VaultStatements.item, subject.id, item) != nil else { return nil }
    return CommittedRow("storage_vault_items", subject.id, item, in: stream)
  }

  /// Everything stored about a subject by name, for the subject's own export. Reasons of holds are left out.
  public func all(of subject: Subject) throws(DatabaseError) -> [String: [UInt8]] {
    try access.rereading { () throws(DatabaseError) in
      guard let key = try access.subjectKey(subject) else { return [:] }
      var items: [String: [UInt8]] = [:]
      for row in try access.all(VaultStatements.items, subject.id) {
        let name: String = try row.get("item")
        if name.hasPrefix(HoldReason.prefix) { continue }
        items[name] = try open(try row.get("sealed"), named: name, of: subject, key)
      }
      return items
    }
  }

  /// Whether anything was ever stored about a subject.
  public func knows(_ subject: Subject) throws(DatabaseError) -> Bool {
    try access.first(VaultStatements.subject, subject.id) != nil
  }

  public func isErased(_ subject: Subject) throws(DatabaseError) -> Bool { try erasure(of: subject) != nil }

  /// When a subject was erased; nil if that has not happened.
  public func erasure(of subject: Subject) throws(DatabaseError) -> Instant? {
    try access.first(VaultStatements.subject, subject.id)?.get("erased_ms")
  }

  /// Those of the subjects, by their identifiers, that are erased.
  public func erased(among subjects: Set<String>) throws(DatabaseError) -> Set<String> {
    var erased: Set<String> = []
    for row in try access.all(VaultStatements.erasedAmong, about: subjects.sorted()) {
      erased.insert(try row.get("subject"))
    }
    return erased
  }

  func open(
    _ sealed: [UInt8], named item: String, of subject: Subject, _ key: SecretKey
  ) throws(DatabaseError) -> [UInt8] {
    guard let plain = key.open(sealed, at: .item(access.tenant, subject, item)) else {
      throw DatabaseError(.corrupt, "item '\(item)' of subject '\(subject)' does not open: its row was altered")
    }
    return plain
  }
}

/// Gives snapshots a vault that can be read, and transactions one that can also be written.
public protocol VaultAccess {}

extension VaultAccess where Self: Snapshot {
  public var vault: Vault<Self> { Vault(access: self) }
}

extension Vault where Access == Transaction {
  /// Stores data about a subject, replacing what was stored under that name.
  public func put(_ plain: [UInt8], as item: String, of subject: Subject) throws(DatabaseError) {
    let key = try access.subjectKeyForWriting(subject)
    let sealed = key.seal(plain, at: .item(access.tenant, subject, item))
    try access.run(VaultStatements.putItem, subject.id, item, sealed, access.now)
  }

  public func remove(_ item: String, of subject: Subject) throws(DatabaseError) {
    try access.run(VaultStatements.removeItem, subject.id, item)
    access.afterCommit.scrubsFiles = true
  }
}
