internal import RPC
internal import ServicePolicy
internal import Storage

/// Notes what another service's events change for people. It catches up whenever somebody syncs, so that no process has
/// to follow all the time, and a pull never misses what happened before it.
struct EventFollower: Sendable {
  /// Some events that were read, and what to do about them.
  struct News: Sendable {
    /// The token to read the events after these.
    let next: String
    let note: @Sendable (Transaction) throws -> Void
  }

  /// The people for whom a subject's change is noted: the one who has the subject's account now, as far as the service
  /// knows, and, if that account was merged, the subject as well, so that an erasure of the subject alone finds what to
  /// remove.
  static func holders(
    of subjectID: String, by source: ChangeStore.Source, _ transaction: Transaction
  ) throws -> [String] {
    try Set([subjectID, ChangeStore.holder(of: subjectID, by: source, transaction)]).sorted()
  }

  let source: ChangeStore.Source
  let data: ServiceDatabase
  /// Reads the events after a token; nil: there are none.
  let read: @Sendable (_ token: String, _ tenant: Tenant) async throws -> News?

  func catchUp(_ tenant: Tenant) async throws {
    let scope = data.database.scope(tenant)
    var token = try await scope.read { try ChangeStore.position(source, $0) }
    while let news = try await news(after: &token, of: tenant) {
      let old = token
      let isOurs = try await scope.write { transaction in
        guard try ChangeStore.advance(source, from: old, to: news.next, transaction) else { return false }
        try news.note(transaction)
        return true
      }
      // If another process has noted these already, this one goes on from there.
      token = isOurs ? news.next : try await scope.read { try ChangeStore.position(source, $0) }
    }
  }

  /// The news after a token. A service whose database was restored may not know the token any more; then its events are
  /// read from the beginning.
  private func news(after token: inout String, of tenant: Tenant) async throws -> News? {
    do {
      return try await read(token, tenant)
    } catch let status as Status where status.isRefusal(by: EventPosition.unknown) {
      let (scope, old) = (data.database.scope(tenant), token)
      token = try await scope.write { transaction in
        try ChangeStore.beginAgain(source, from: old, transaction)
        return try ChangeStore.position(source, transaction)
      }
      return try await read(token, tenant)
    }
  }
}
