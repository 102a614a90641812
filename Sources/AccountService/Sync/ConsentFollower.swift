internal import AccountContract
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Notes what ConsentService's events change for people. It catches up whenever somebody syncs, so that no process has
/// to follow all the time, and a pull never misses what happened before it.
struct ConsentFollower: Sendable {
  let data: ServiceDatabase
  let peers: any SyncPeers

  func catchUp(_ tenant: Tenant) async throws {
    let scope = data.database.scope(tenant)
    var token = try await scope.read { try ChangeStore.position(.consent, $0) }
    while true {
      let (events, next) = try await peers.consentEvents(after: token, of: tenant)
      if next == token { return }
      let old = token
      let isOurs = try await scope.write { transaction in
        guard try ChangeStore.advance(.consent, from: old, to: next, transaction) else { return false }
        for event in events { try Self.note(event, transaction) }
        return true
      }
      // Another process has noted these: go on where it stands.
      token = isOurs ? next : try await scope.read { try ChangeStore.position(.consent, $0) }
    }
  }

  private static func note(_ event: ConsentEvent, _ transaction: Transaction) throws {
    guard !event.subjectID.isEmpty else { return }
    // What concerns an account that was merged comes to whoever has it now.
    let owner = Uploader.owner(of: event.subjectID, transaction)
    switch event.kind {
    case .sessionStarted, .sessionActed, .sessionEnded:
      try ChangeStore.note(.session, event.sessionID, of: owner, transaction)
    case .recordEntry:
      try ChangeStore.note(.record, event.recordID, of: owner, transaction)
      if event.entry == .withdrawn {
        for name in Set([event.subjectID, owner]) {
          try ChangeStore.noteWithdrawal(by: event.sequence, event.recordID, of: name, transaction)
        }
      }
      let isWaiting = event.state == .awaitingSignatures
      try ChangeStore.noteWaiting(event.recordID, of: event.subjectID, isWaiting: isWaiting, transaction)
    case .guardianChanged:
      guard !event.guardianID.isEmpty else { return }
      try ChangeStore.noteWard(event.subjectID, of: Uploader.owner(of: event.guardianID, transaction), transaction)
    case .subjectErased: try ChangeStore.removeAll(of: event.subjectID, transaction)
    default: return
    }
  }
}
