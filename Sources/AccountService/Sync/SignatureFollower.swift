internal import AccountContract
internal import ServicePolicy
internal import Storage

/// Notes which fields SignatureService's events change for people, as `ConsentFollower` does for consent.
struct SignatureFollower: Sendable {
  let data: ServiceDatabase
  let peers: any SyncPeers

  func catchUp(_ tenant: Tenant) async throws {
    let scope = data.database.scope(tenant)
    var token = try await scope.read { try ChangeStore.position(.signature, $0) }
    while true {
      let (fields, last) = try await peers.fieldChanges(after: Int64(token) ?? 0, of: tenant)
      guard last > Int64(token) ?? 0 else { return }
      let old = token
      let next = String(last)
      let isOurs = try await scope.write { transaction in
        guard try ChangeStore.advance(.signature, from: old, to: next, transaction) else { return false }
        for field in Set(fields) {
          let owner = Uploader.owner(of: field.subjectID, transaction)
          try ChangeStore.note(.field, field.fieldID, of: owner, transaction)
        }
        return true
      }
      // Another process has noted these: go on where it stands.
      token = isOurs ? next : try await scope.read { try ChangeStore.position(.signature, $0) }
    }
  }
}
