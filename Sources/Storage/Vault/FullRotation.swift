internal import Base

/// Replaces every key of a tenant but the master key: the tenant's own, each subject's, and that of the index.
///
/// Progress is not stored apart from the keys, so no crash can make it wrong. The tenant's new key is made first, and
/// each subject's new key is wrapped with it. So a subject whose key is wrapped with an older version is still to be
/// done, and a tenant with two versions has an unfinished rotation, which the next run continues.
extension Scope {
  /// Gives the tenant, each of its subjects and its index a new key. Returns how many subjects got one. Run again after
  /// a crash, it continues where it stopped.
  ///
  /// - Parameter progress: called after each subject with their number so far.
  @discardableResult
  public func rotateKeys(
    by actor: String, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Int {
    let newest = try await rotationTarget()
    var count = 0
    while let subject = try await subjectUnderOlderKey(than: newest) {
      do {
        try await rotateSubjectKey(subject, by: actor)
      } catch let error as DatabaseError where error.code == .erased {
        // The subject was erased after it was listed. It has no key left to replace, and is not listed again.
        continue
      }
      count += 1
      progress(count)
    }
    try await finishTenantRotation(to: newest, by: actor)
    try await rotateIndexKey(by: actor)
    return count
  }

  /// The version of the tenant's key to move everything to: a new one, unless an interrupted rotation has made one.
  private func rotationTarget() async throws -> Int64 {
    try await write { transaction in
      let newest = try transaction.currentTenantKey().version
      let versions: Int = try transaction.one(FullRotationStatements.versions).get("versions")
      if versions > 1 { return newest }
      let next = try transaction.keyVersion(after: newest)
      try transaction.addTenantKey(version: next)
      return next
    }
  }

  private func subjectUnderOlderKey(than newest: Int64) async throws -> Subject? {
    try await read { snapshot in
      let row = try snapshot.first(FullRotationStatements.nextSubject, newest)
      return try row.flatMap { Subject(try $0.get("subject", as: String.self)) }
    }
  }
}

enum FullRotationStatements {
  /// Counts the versions of the tenant's key. The index keys, with versions of 0 and below, are left out.
  static let versions = Statement(
    own: "storage.rotation.versions",
    "SELECT count(*) AS versions FROM storage_vault_tenants WHERE tenant = {tenant} AND version > 0")
  static let nextSubject = Statement(
    own: "storage.rotation.next-subject",
    "SELECT subject FROM storage_vault_subjects WHERE tenant = {tenant} AND version < ? "
      + "ORDER BY version, subject LIMIT 1"
  )
}
