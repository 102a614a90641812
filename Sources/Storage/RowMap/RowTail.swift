internal import Base

/// What a run of events says of rows: those after the ones that the signed map covers.
struct RowTail {
  /// What an event commits to of a row; no digest: that it was removed.
  struct Saying: Hashable, Sendable {
    let event: Int64
    let digest: Digest?
  }

  private struct Entry {
    let name: RowName
    let saying: Saying
    /// Where the entry of the same row before this one is.
    let earlier: Int?
  }

  /// The run begins after this event …
  private(set) var base: Int64
  /// … and ends with this one, whose hash is `chain`.
  private(set) var last: Int64
  private(set) var chain: Digest
  private var entries: [Entry] = []
  private var newest: [RowName: Int] = [:]

  /// At about 100 bytes for each change of a row.
  static let mostEntries = 1 << 20
  /// How many entries are worth dropping.
  private static let leastDropped = 4096

  init(after base: Int64, chain: Digest) {
    (self.base, last, self.chain) = (base, base, chain)
  }

  /// The newest of a row, as far as event `end`.
  func saying(of name: RowName, upTo end: Int64) -> Saying? {
    var place = newest[name]
    while let index = place, entries[index].saying.event > end { place = entries[index].earlier }
    return place.map { entries[$0].saying }
  }

  /// Adds the event that follows, held to its predecessor by their hashes.
  mutating func add(_ event: Event, of tenant: Tenant) throws(DatabaseError) {
    guard event.sequence == last + 1 else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': event \(last + 1) is missing: it was removed")
    }
    guard event.chain == event.chain(after: chain, of: tenant), let changes = RowChange.list(event.changes) else {
      throw DatabaseError(
        .corrupt, "tenant '\(tenant)': event \(event.sequence) is not the one that was written: it was altered")
    }
    guard entries.count + changes.count <= Self.mostEntries else { throw Self.tooLong(tenant, since: base) }
    for change in changes {
      append(
        RowName(table: change.table, key: change.key), Saying(event: event.sequence, digest: change.digest))
    }
    (last, chain) = (event.sequence, event.chain)
  }

  private mutating func append(_ name: RowName, _ saying: Saying) {
    entries.append(Entry(name: name, saying: saying, earlier: newest.updateValue(entries.count, forKey: name)))
  }

  func canTake(_ other: RowTail) -> Bool { entries.count + other.entries.count <= Self.mostEntries }

  static func tooLong(_ tenant: Tenant, since base: Int64) -> DatabaseError {
    DatabaseError(
      .unavailable,
      "tenant '\(tenant)': the log was not signed since event \(base): what changed since is too much to verify")
  }

  /// Adds a run that begins where this one ends.
  mutating func append(_ other: RowTail) {
    for entry in other.entries { append(entry.name, entry.saying) }
    (last, chain) = (other.last, other.chain)
  }

  /// Drops what a signed map covers, where that is worth the work.
  mutating func drop(through size: Int64) {
    let covered = entries.prefix { $0.saying.event <= size }.count
    guard size > base, size <= last, covered >= Self.leastDropped, covered >= entries.count / 2 else { return }
    let kept = entries.dropFirst(covered)
    (entries, newest, base) = ([], [:], size)
    for entry in kept { append(entry.name, entry.saying) }
  }
}
