internal import Base
internal import Synchronization

/// For each tenant what the events commit to that no signed map of rows covers yet. It is extended whenever rows are
/// verified, so that a process reads each event once.
final class RowTails: Sendable {
  private let logs = Mutex<[String: RowTail]>([:])
  /// The events after those in `logs` that were not durable when the last write transaction read them. Transactions
  /// that are committed together run one after the other, and each sees the events of those before it.
  private let pending = Mutex<[String: RowTail]>([:])

  private static let page = 500
  /// If the map covers at most so many events more than this process has read, they are read as well, so that the list
  /// keeps its earlier entries. Otherwise the list starts again where the map ends.
  private static let mostFollowed: Int64 = 10_000

  /// For each row what the newest event after those that the map covers commits to; nil if none does.
  func sayings(
    of names: [RowName], under view: LogView, in snapshot: Snapshot
  ) throws(DatabaseError) -> [RowTail.Saying?] {
    let end = view.end?.last ?? 0
    // Events that a write transaction sees may not be durable yet, and be rolled back. They must not be shared.
    let durable = snapshot is Transaction ? min(end, snapshot.seenBefore?.last ?? 0) : end
    try share(upTo: durable, under: view, in: snapshot)
    var found: [RowTail.Saying?]
    var rest: RowTail
    if let shared = look(for: names, under: view, upTo: end, of: snapshot.tenant) {
      (found, rest) = (shared.found, shared.rest)
    } else {
      found = names.map { _ in nil }
      rest = RowTail(after: view.size, chain: try snapshot.chain(under: view))
    }
    if snapshot is Transaction, rest.last < end, let read = try takePending(after: rest, upTo: end, in: snapshot) {
      rest = read
    }
    while rest.last < end { try Self.read(into: &rest, upTo: end, in: snapshot) }
    if snapshot is Transaction, rest.last > durable { pending.withLock { $0[snapshot.tenant.id] = rest } }
    for (index, name) in names.enumerated() { found[index] = rest.saying(of: name, upTo: end) ?? found[index] }
    return found
  }

  /// The pending events that an earlier transaction read after `rest`, if this transaction sees the same. The last
  /// event's hash shows that, since it covers all events before it. Events that were rolled back meanwhile do not
  /// match.
  private func takePending(
    after rest: RowTail, upTo end: Int64, in snapshot: Snapshot
  ) throws(DatabaseError) -> RowTail? {
    let read = pending.withLock { $0.removeValue(forKey: snapshot.tenant.id) }
    guard let read, read.base == rest.base, read.last > rest.last, read.last <= end else { return nil }
    let chain = try snapshot.first(EventStatements.chain, read.last)?.get("chain", as: Digest.self)
    return chain == read.chain ? read : nil
  }

  /// Extends the shared events of a tenant up to an event.
  private func share(upTo end: Int64, under view: LogView, in snapshot: Snapshot) throws(DatabaseError) {
    // Each piece begins where the shared events end at that moment, as others may have extended them meanwhile. A piece
    // from another place would leave a gap.
    while var piece = try nextPiece(upTo: end, under: view, in: snapshot) {
      if piece.last < end { try Self.read(into: &piece, upTo: end, in: snapshot) }
      try add(piece, under: view, of: snapshot.tenant)
      if piece.last >= end { return }
    }
  }

  /// An empty run at the place where the shared events continue; nil if this transaction has to read for itself.
  private func nextPiece(
    upTo end: Int64, under view: LogView, in snapshot: Snapshot
  ) throws(DatabaseError) -> RowTail? {
    let known = logs.withLock { logs in logs[snapshot.tenant.id].map { ($0.base, $0.last, $0.chain) } }
    if let (base, last, chain) = known, last + Self.mostFollowed >= view.size {
      // If a later transaction has dropped events that this one needs, this one cannot use the shared list.
      return base <= view.size ? RowTail(after: last, chain: chain) : nil
    }
    return view.size <= end ? RowTail(after: view.size, chain: try snapshot.chain(under: view)) : nil
  }

  private func add(_ piece: RowTail, under view: LogView, of tenant: Tenant) throws(DatabaseError) {
    let isTooLong = logs.withLock { logs in
      guard var tail = logs.removeValue(forKey: tenant.id) else {
        logs[tenant.id] = piece
        return false
      }
      defer { logs[tenant.id] = tail }
      // A gap lies between the shared list and this piece, so the piece replaces the list.
      if tail.last < piece.base { tail = piece }
      // Otherwise another transaction was faster.
      guard tail.last == piece.base else { return false }
      tail.drop(through: view.size)
      guard tail.canTake(piece) else { return true }
      tail.append(piece)
      return false
    }
    if isTooLong { throw RowTail.tooLong(tenant, since: view.size) }
  }

  private func look(
    for names: [RowName], under view: LogView, upTo end: Int64, of tenant: Tenant
  ) -> (found: [RowTail.Saying?], rest: RowTail)? {
    logs.withLock { logs in
      guard let tail = logs[tenant.id], tail.base <= view.size, view.size <= tail.last else { return nil }
      return (names.map { tail.saying(of: $0, upTo: end) }, RowTail(after: tail.last, chain: tail.chain))
    }
  }

  private static func read(into tail: inout RowTail, upTo end: Int64, in snapshot: Snapshot) throws(DatabaseError) {
    let events = try snapshot.events(after: tail.last, limit: page)
    for event in events where event.sequence <= end { try tail.add(event, of: snapshot.tenant) }
    // No event up to `end` follows, so the next one is missing.
    if events.first.map({ $0.sequence > end }) ?? true {
      throw DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': event \(tail.last + 1) is missing: it was removed")
    }
  }
}
