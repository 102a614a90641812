internal import AccountContract
internal import Base
internal import Storage

/// A change as it is noted: which thing changed, without its content.
struct NotedChange: Sendable {
  let sequence: Int64
  let kind: SyncChangeKind
  let id: String
  let isRemoved: Bool
}

/// What changed for each person, in one order per person. Each thing has one row, with the number of its newest change,
/// so that a reader that continues from an earlier number still finds it.
enum ChangeStore {
  private static let next = Statement(
    "change.next",
    "INSERT INTO change_heads (tenant, person_id, last, floor) VALUES ({tenant}, ?, ?, 0) "
      + "ON CONFLICT (tenant, person_id) DO UPDATE SET last = change_heads.last + excluded.last")
  private static let head = Statement(
    "change.head", "SELECT last, floor FROM change_heads WHERE tenant = {tenant} AND person_id = ?")
  private static let put = Statement(
    "change.put",
    "INSERT INTO changes (tenant, person_id, kind, id, sequence, first, removed, at_ms) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, person_id, kind, id) DO UPDATE SET sequence = excluded.sequence, "
      + "removed = excluded.removed, at_ms = excluded.at_ms")
  private static let page = Statement(
    "change.page",
    "SELECT kind, id, sequence, removed FROM changes WHERE tenant = {tenant} AND person_id = ? AND sequence > ? "
      + "AND kind < 100 ORDER BY sequence LIMIT ?")
  private static let count = Statement(
    "change.count",
    "SELECT COUNT(*) AS count FROM changes WHERE tenant = {tenant} AND person_id = ? AND sequence > ? AND kind < 100")
  private static let first = Statement(
    "change.first", "SELECT first FROM changes WHERE tenant = {tenant} AND person_id = ? AND kind = ? AND id = ?")
  private static let newestUntil = Statement(
    "change.newest-until",
    "SELECT id FROM changes WHERE tenant = {tenant} AND person_id = ? AND kind = ? AND sequence <= ? "
      + "ORDER BY sequence DESC LIMIT 1")
  private static let presentOfKind = Statement(
    "change.present-of-kind",
    "SELECT id FROM changes WHERE tenant = {tenant} AND person_id = ? AND kind = ? AND removed = 0 ORDER BY sequence")
  private static let presentBetween = Statement(
    "change.present-between",
    "SELECT id FROM changes WHERE tenant = {tenant} AND person_id = ? AND kind = ? AND removed = 0 AND sequence > ? "
      + "AND sequence <= ? ORDER BY sequence")
  private static let everOfKind = Statement(
    "change.ever-of-kind", "SELECT id FROM changes WHERE tenant = {tenant} AND person_id = ? AND kind = ?")
  private static let removeAll = Statement(
    "change.remove-all",
    "UPDATE changes SET sequence = sequence + ?, removed = 1, at_ms = ? "
      + "WHERE tenant = {tenant} AND person_id = ? AND removed = 0 AND kind < 100")
  private static let old = Statement(
    "change.old",
    "SELECT person_id, MAX(sequence) AS newest FROM changes WHERE tenant = {tenant} AND removed = 1 AND at_ms < ? "
      + "GROUP BY person_id")
  private static let raise = Statement(
    "change.raise", "UPDATE change_heads SET floor = ? WHERE tenant = {tenant} AND person_id = ? AND floor < ?")
  private static let forget = Statement(
    "change.forget", "DELETE FROM changes WHERE tenant = {tenant} AND removed = 1 AND at_ms < ?")
  private static let position = Statement(
    "change.position", "SELECT token FROM followed WHERE tenant = {tenant} AND source = ?")
  private static let follow = Statement(
    "change.follow",
    "INSERT INTO followed (tenant, source, token) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, source) DO NOTHING")
  private static let advance = Statement(
    "change.advance", "UPDATE followed SET token = ? WHERE tenant = {tenant} AND source = ? AND token = ?")
  private static let hold = Statement(
    "change.hold", "SELECT token FROM followed WHERE tenant = {tenant} AND source = ? FOR UPDATE")
  private static let forgetRules = Statement(
    "change.forget-rules", "DELETE FROM changes WHERE tenant = {tenant} AND kind >= 100 AND kind < 200")
  private static let raiseAll = Statement(
    "change.raise-all", "UPDATE change_heads SET last = last + 1, floor = last + 1 WHERE tenant = {tenant}")

  static let statements = [
    next, head, put, page, count, first, newestUntil, presentOfKind, presentBetween, everOfKind, removeAll,
    old, raise, forget, position, follow, advance, hold, forgetRules, raiseAll,
  ]

  // Changes of kinds from 100 on serve only the rules of this service and are never sent to devices. Kinds from 100 to
  // 199 come from ConsentService's events.

  /// Withdrawals, denials and changes of sharing, by which conflicts with queued items are found. Devices see them in
  /// the record.
  private static let withdrawal: Int64 = 100
  /// A person's records that wait for a signature.
  private static let waiting: Int64 = 101
  /// Subjects whose guardian the person is, by study: removed once that has ended.
  private static let ward: Int64 = 102
  /// Services that have not heard yet that the account was merged.
  private static let unheard: Int64 = 200

  static func note(
    _ kind: SyncChangeKind, _ id: String, of personID: String, isRemoved: Bool = false, _ transaction: Transaction
  ) throws {
    try note(Int64(kind.number), id, personID, isRemoved, transaction)
  }

  /// - Parameter event: the number of the withdrawal, denial or sharing choice among ConsentService's events.
  static func noteWithdrawal(
    by event: Int64, _ recordID: String, of personID: String, _ transaction: Transaction
  ) throws {
    try note(withdrawal, "\(event)/\(recordID)", personID, false, transaction)
  }

  /// Notes whether a record waits for a signature.
  static func noteWaiting(
    _ recordID: String, of personID: String, isWaiting: Bool, _ transaction: Transaction
  ) throws {
    try note(waiting, recordID, personID, isSo: isWaiting, transaction)
  }

  /// Notes whether somebody is a subject's guardian in a study.
  static func noteWard(
    _ subjectID: String, in studyID: String, of guardianID: String, isWard: Bool, _ transaction: Transaction
  ) throws {
    try note(ward, "\(studyID)/\(subjectID)", guardianID, isSo: isWard, transaction)
  }

  /// Notes whether something is so. Does nothing if it is not so and never was.
  private static func note(
    _ kind: Int64, _ id: String, _ personID: String, isSo: Bool, _ transaction: Transaction
  ) throws {
    guard try isSo || transaction.first(first, personID, kind, id) != nil else { return }
    try note(kind, id, personID, !isSo, transaction)
  }

  /// The records that wait for a signature, of a person and of those whose guardian the person is.
  static func waitingRecords(of personID: String, _ snapshot: Snapshot) throws -> [String] {
    let wards = try ids(ward, of: personID, snapshot).compactMap { id in
      id.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
    }
    return try ([personID] + Set(wards).sorted()).flatMap { try ids(waiting, of: $0, snapshot) }
  }

  /// The things of a kind that the person has, in the order of their last changes.
  static func ids(_ kind: SyncChangeKind, of personID: String, _ snapshot: Snapshot) throws -> [String] {
    try ids(Int64(kind.number), of: personID, snapshot)
  }

  /// The identifiers of things whose newest changes are numbered after `start` and up to `end`.
  static func ids(
    _ kind: SyncChangeKind, of personID: String, after start: Int64, upTo end: Int64, _ snapshot: Snapshot
  ) throws -> [String] {
    try snapshot.all(presentBetween, personID, Int64(kind.number), start, end).map { try $0.get("id") }
  }

  private static func ids(_ kind: Int64, of personID: String, _ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(presentOfKind, personID, kind).map { try $0.get("id") }
  }

  private static func note(
    _ kind: Int64, _ id: String, _ personID: String, _ isRemoved: Bool, _ transaction: Transaction
  ) throws {
    try note([(kind, id)], personID, isRemoved, transaction)
  }

  /// Notes changes of several things, in their order.
  private static func note(
    _ things: [(kind: Int64, id: String)], _ personID: String, _ isRemoved: Bool, _ transaction: Transaction
  ) throws {
    guard !things.isEmpty else { return }
    var number = try take(Int64(things.count), of: personID, transaction)
    for thing in things {
      number += 1
      try transaction.run(put, personID, thing.kind, thing.id, number, number, isRemoved, transaction.now)
    }
  }

  /// Takes the next numbers of a person's changes; returns the number before the first of them. This locks the row of
  /// the head, so that numbers are given out one after the other.
  private static func take(_ count: Int64, of personID: String, _ transaction: Transaction) throws -> Int64 {
    try transaction.run(next, personID, count)
    return try transaction.one(head, personID).get("last", as: Int64.self) - count
  }

  /// The number of a person's last change, and that of the newest removal that may have been deleted.
  static func bounds(of personID: String, _ snapshot: Snapshot) throws -> (last: Int64, floor: Int64) {
    guard let row = try snapshot.first(head, personID) else { return (0, 0) }
    return (try row.get("last"), try row.get("floor"))
  }

  static func changes(
    of personID: String, after sequence: Int64, limit: Int, _ snapshot: Snapshot
  ) throws -> [NotedChange] {
    try snapshot.all(page, personID, sequence, limit).map { row in
      NotedChange(
        sequence: try row.get("sequence"),
        kind: SyncChangeKind(number: Int32(truncatingIfNeeded: try row.get("kind", as: Int64.self))),
        id: try row.get("id"), isRemoved: try row.get("removed"))
    }
  }

  static func count(of personID: String, after sequence: Int64, _ snapshot: Snapshot) throws -> Int64 {
    try snapshot.one(count, personID, sequence).get("count")
  }

  /// The number of the event of the person's newest withdrawal or denial that was noted up to a change; 0: none.
  static func seenWithdrawal(until sequence: Int64, of personID: String, _ snapshot: Snapshot) throws -> Int64 {
    guard let row = try snapshot.first(newestUntil, personID, withdrawal, sequence) else { return 0 }
    return try row.get("id", as: String.self).split(separator: "/").first.flatMap { Int64($0) } ?? 0
  }

  /// Notes the queued work of an account that ends as changes of the account that stays, so that all devices of that
  /// person fetch it. Profile and roles are not among them, because each account has its own. What another service has
  /// is adopted once that service has heard of the merge: until then it would deny the data to that person.
  static func adopt(from ending: String, by staying: String, _ transaction: Transaction) throws {
    try adopt([.item], from: ending, by: staying, transaction)
    for source in Source.allCases { try note(unheard, source.rawValue, ending, false, transaction) }
  }

  /// Called when a service has heard that an account was merged. Notes what the service has under the account's
  /// identifiers as changes of the person to whom it now shows that.
  static func adopt(heardBy source: Source, from ending: String, _ transaction: Transaction) throws {
    // Locks what `advance` changes. So whoever notes events of the service has either asked who holds the account
    // before, and is waited for, or asks afterwards.
    try transaction.run(follow, source.rawValue, "")
    _ = try transaction.first(hold, source.rawValue)
    try note(unheard, source.rawValue, ending, isSo: false, transaction)
    for name in try PersonStore.names(of: ending, transaction) {
      let holder = try holder(of: name, by: source, transaction)
      if holder != name { try adopt(source.kinds, from: name, by: holder, transaction) }
    }
  }

  private static func adopt(
    _ kinds: [SyncChangeKind], from ending: String, by staying: String, _ transaction: Transaction
  ) throws {
    for kind in kinds {
      let things = try ids(kind, of: ending, transaction).map { (kind: Int64(kind.number), id: $0) }
      try note(things, staying, false, transaction)
    }
  }

  /// The person to whom a service shows what it has under an identifier: whoever has the account now, as far as the
  /// service has heard of that.
  static func holder(of id: String, by source: Source, _ snapshot: Snapshot) throws -> String {
    let known = try PersonStore.ended(from: id, snapshot).prefix { account in
      try !ids(unheard, of: account.id, snapshot).contains(source.rawValue)
    }
    return known.last?.mergedInto ?? id
  }

  /// Notes all things of an erased person as removed, so that every device hears of it. Many people may be erased in
  /// one transaction, so one statement changes all these rows of a person: it adds the person's last number to each of
  /// theirs, which gives them new ones in the same order.
  static func removeAll(of personID: String, _ transaction: Transaction) throws {
    guard try bounds(of: personID, transaction).last > 0 else { return }
    let last = try take(0, of: personID, transaction)
    if try transaction.run(removeAll, last, transaction.now, personID) > 0 {
      _ = try take(last, of: personID, transaction)
    }
  }

  /// Called when a service has erased what it had under `ended`, an account that was merged into the owner's. Notes for
  /// the owner that this is removed. The account here may have been erased before. What came from accounts that were
  /// merged into `ended` earlier stays.
  static func removeAdopted(
    from ended: String, by owner: String, butThoseOf earlier: [String], _ transaction: Transaction
  ) throws {
    guard ended != owner else { return }
    for kind in ofServices {
      let known = try everKnown(kind, of: [ended], transaction).subtracting(everKnown(kind, of: earlier, transaction))
      let gone = try ids(kind, of: owner, transaction).filter { known.contains($0) }
      try note(gone.map { (kind: Int64(kind.number), id: $0) }, owner, true, transaction)
    }
  }

  /// Notes as removed what services had under the person's own identifier; what came with merged accounts stays.
  static func removeOwn(of personID: String, butThoseOf ended: [String], _ transaction: Transaction) throws {
    for kind in ofServices {
      let others = try everKnown(kind, of: ended, transaction)
      let gone = try ids(kind, of: personID, transaction).filter { !others.contains($0) }
      try note(gone.map { (kind: Int64(kind.number), id: $0) }, personID, true, transaction)
    }
  }

  private static let ofServices = Source.allCases.flatMap(\.kinds)

  /// The things of a kind that were ever noted for identifiers, and not deleted.
  private static func everKnown(
    _ kind: SyncChangeKind, of names: [String], _ snapshot: Snapshot
  ) throws -> Set<String> {
    let rows = try names.flatMap { try snapshot.all(everOfKind, $0, Int64(kind.number)) }
    return Set(try rows.map { try $0.get("id", as: String.self) })
  }

  /// Notes everything that a person has of a kind as changed, so that devices fetch it again.
  static func noteAgain(_ kind: SyncChangeKind, of personID: String, _ transaction: Transaction) throws {
    try note(
      ids(kind, of: personID, transaction).map { (kind: Int64(kind.number), id: $0) }, personID, false, transaction)
  }

  /// Deletes removals that were noted before a time. A device whose cursor is older than these gets everything again.
  static func forget(before time: Instant, _ transaction: Transaction) throws {
    for row in try transaction.all(old, time) {
      let newest: Int64 = try row.get("newest")
      try transaction.run(raise, newest, try row.get("person_id", as: String.self), newest)
    }
    try transaction.run(forget, time)
  }

  // MARK: Following other services

  /// A service whose events are followed.
  enum Source: String, CaseIterable {
    case consent, signature

    /// The kinds of things that the service has of people.
    var kinds: [SyncChangeKind] {
      switch self {
      case .consent: [.record, .session]
      case .signature: [.field]
      }
    }
  }

  static func position(_ source: Source, _ snapshot: Snapshot) throws -> String {
    try snapshot.first(position, source.rawValue)?.get("token") ?? ""
  }

  /// Stores how far the service's events were read; false when another process has read on meanwhile.
  static func advance(
    _ source: Source, from old: String, to new: String, _ transaction: Transaction
  ) throws -> Bool {
    try transaction.run(follow, source.rawValue, "")
    return try transaction.run(advance, new, source.rawValue, old) == 1
  }

  /// Reads a service's events from the beginning again, because its log is no longer the one that was read up to `old`.
  /// What ConsentService's events said for rules alone is deleted, and noted anew with them. Every device gets
  /// everything again, since nobody knows what the service has lost.
  static func beginAgain(_ source: Source, from old: String, _ transaction: Transaction) throws {
    guard try advance(source, from: old, to: "", transaction) else { return }
    if source == .consent { try transaction.run(forgetRules) }
    try transaction.run(raiseAll)
  }
}
