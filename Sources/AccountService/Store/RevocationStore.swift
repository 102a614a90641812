internal import AccountContract
internal import Base
internal import Storage
internal import Wire

/// Revocations of access tokens that have not expired; kept for as long as a token may live.
enum RevocationStore {
  private static let put = Statement(
    "revocation.put",
    "INSERT INTO revocations (tenant, kind, id, before_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, kind, id) DO UPDATE SET before_ms = "
      + "CASE WHEN excluded.before_ms > revocations.before_ms THEN excluded.before_ms ELSE revocations.before_ms END")
  private static let since = Statement(
    "revocation.since",
    "SELECT kind, id, before_ms FROM revocations WHERE tenant = {tenant} AND before_ms >= ? "
      + "ORDER BY before_ms, kind, id")
  private static let forget = Statement(
    "revocation.forget", "DELETE FROM revocations WHERE tenant = {tenant} AND before_ms < ?")

  static let statements = [put, since, forget]

  /// How far ahead the clock of another process that issues tokens may be.
  private static let skew = Duration.seconds(60)

  /// Makes tokens void.
  ///
  /// A transaction's time is that of its beginning, so one that began later may have issued a token before this one
  /// revokes it. A session that ended and a device that was wiped never get a token again, so theirs are made void
  /// until some time after now. A person's are made void up to the newest that was issued, since later ones must be
  /// valid.
  ///
  /// - Parameter newest: when the person's newest token was issued, as read while the person's row is locked.
  static func put(_ revoked: Revocation.Revoked, newest: Instant? = nil, _ transaction: Transaction) throws {
    let now = transaction.now
    switch revoked {
    case .sessionID(let id): try transaction.run(put, 1, id, now + skew)
    case .personID(let id): try transaction.run(put, 2, id, max(now, newest ?? now))
    case .deviceID(let id): try transaction.run(put, 3, id, now + skew)
    }
  }

  /// The revocations of tokens since a time.
  ///
  /// - Parameter known: the number of an event; what was revoked by later events is returned as well, even if its row
  ///   was removed.
  static func revocations(
    since time: Instant, after known: Int64?, _ snapshot: Snapshot
  ) throws -> [Revocation] {
    let rows = try snapshot.all(since, time).map { row in
      try revocation(row.get("kind"), row.get("id"), row.get("before_ms"), snapshot)
    }
    guard snapshot.hasRowMap else { return rows }
    // If this tenant's log was altered, the tenant's own calls fail for that reason. Here only the rows count then, so
    // that the stream goes on for other tenants.
    return try unlessDamaged {
      let first = try known ?? snapshot.lastEvent(before: time + (.zero - skew))
      let found = Set(rows.map(\.revoked))
      var (told, missing) = ([Told](), [Revocation]())
      for row in try snapshot.changedRows(of: "revocations", after: first) where !row.isRemoved {
        guard row.key.count == 2, let kind = Int64(storedValue: row.key[0]), let id = String(storedValue: row.key[1])
        else { continue }
        // By the event's time, since the row's own may have been altered. Tokens may be dated up to `skew` later, by
        // the clock of another process; for a person too, since the event does not state when the newest token was
        // issued (`put`).
        let revocation = revocation(kind, id, row.at + skew, snapshot)
        guard found.contains(revocation.revoked) else {
          missing.append(revocation)
          continue
        }
        told.append(Told(row: CommittedRow("revocations", kind, id), revocation: revocation))
      }
      return try rows + missing + altered(told[...], snapshot)
    } ?? rows
  }

  /// A revocation that an event of the log commits to, and its row.
  private struct Told {
    let row: CommittedRow
    let revocation: Revocation
  }

  private static func revocation(
    _ kind: Int64, _ id: String, _ before: Instant, _ snapshot: Snapshot
  ) -> Revocation {
    let revoked: Revocation.Revoked =
      switch kind {
      case 1: .sessionID(id)
      case 2: .personID(id)
      default: .deviceID(id)
      }
    return Revocation(tenant: snapshot.tenant.id, revoked: revoked, before: Timestamp(before))
  }

  /// The revocations whose rows were altered by hand. All rows are verified at once; only if that fails, each half is
  /// verified by itself.
  private static func altered(
    _ told: ArraySlice<Told>, _ snapshot: Snapshot
  ) throws(DatabaseError) -> [Revocation] {
    do {
      try snapshot.verify(told.map(\.row))
      return []
    } catch {
      guard error.code == .corrupt else { throw error }
      guard told.count > 1 else { return told.map(\.revocation) }
      let half = told.count / 2
      return try altered(told.prefix(half), snapshot) + altered(told.dropFirst(half), snapshot)
    }
  }

  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }
}
