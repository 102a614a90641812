internal import Base
internal import Synchronization

/// What a process knows of the events that no signed map of rows covers yet, by tenant. It follows the logs as far as
/// they are looked at, so that each event is read once.
final class RowTails: Sendable {
  private let logs = Mutex<[String: RowTail]>([:])
  /// Events that follow the ones in `logs` and are not durable yet, as the last transaction read them: transactions
  /// that are committed together write one after the other, and each reads what the ones before it wrote.
  private let pending = Mutex<[String: RowTail]>([:])

  private static let page = 500
  /// How many events are read rather than passed over to where the map begins: what was seen before stays known.
  private static let mostFollowed: Int64 = 10_000

  /// What the events after the map say of rows, the newest of each.
  func sayings(
    of names: [RowName], under view: LogView, in snapshot: Snapshot
  ) throws(DatabaseError) -> [RowTail.Saying?] {
    let end = view.end?.last ?? 0
    // A change that is not durable yet may come to nothing, and others must not hear of it.
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

  /// What an earlier transaction read after `rest`, if that is what this one sees there: an event's hash covers all
  /// before it, so that the last one tells. What was undone meanwhile is not taken.
  private func takePending(
    after rest: RowTail, upTo end: Int64, in snapshot: Snapshot
  ) throws(DatabaseError) -> RowTail? {
    let read = pending.withLock { $0.removeValue(forKey: snapshot.tenant.id) }
    guard let read, read.base == rest.base, read.last > rest.last, read.last <= end else { return nil }
    let chain = try snapshot.first(EventStatements.chain, read.last)?.get("chain", as: Digest.self)
    return chain == read.chain ? read : nil
  }

  /// Brings what all transactions share up to an event.
  private func share(upTo end: Int64, under view: LogView, in snapshot: Snapshot) throws(DatabaseError) {
    // From what others have brought it to meanwhile, each time: a piece that does not begin there would leave a gap.
    while var piece = try nextPiece(upTo: end, under: view, in: snapshot) {
      if piece.last < end { try Self.read(into: &piece, upTo: end, in: snapshot) }
      try add(piece, under: view, of: snapshot.tenant)
      if piece.last >= end { return }
    }
  }

  /// Where the shared events go on, still empty; nil where a transaction has to read for itself.
  private func nextPiece(
    upTo end: Int64, under view: LogView, in snapshot: Snapshot
  ) throws(DatabaseError) -> RowTail? {
    let known = logs.withLock { logs in logs[snapshot.tenant.id].map { ($0.base, $0.last, $0.chain) } }
    if let (base, last, chain) = known, last + Self.mostFollowed >= view.size {
      // Somebody who began later has dropped what this transaction would need.
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
    // The number after the last is missing, or all of them are.
    if events.first.map({ $0.sequence > end }) ?? true {
      throw DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': event \(tail.last + 1) is missing: it was removed")
    }
  }
}
