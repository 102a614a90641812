internal import Base

/// What a run of consecutive events commits to for rows. It is kept for the events after those that the signed map
/// covers.
struct RowTail {
  /// What an event commits to for a row: the row's hash, or nil if the row was removed.
  struct Saying: Hashable, Sendable {
    let event: Int64
    let digest: Digest?
  }

  private struct Entry {
    let name: RowName
    let saying: Saying
    /// The index of the previous entry for the same row.
    let earlier: Int?
  }

  /// The run begins after this event …
  private(set) var base: Int64
  /// … and ends with this one, whose hash is `chain`.
  private(set) var last: Int64
  private(set) var chain: Digest
  private var entries: [Entry] = []
  private var newest: [RowName: Int] = [:]

  /// How many changes of rows are kept, of about 100 bytes each.
  static let mostEntries = 1 << 20
  /// The least number of entries that are worth the work of dropping them.
  private static let leastDropped = 4096

  init(after base: Int64, chain: Digest) {
    (self.base, last, self.chain) = (base, base, chain)
  }

  /// What the newest event about a row, up to event `end`, commits to.
  func saying(of name: RowName, upTo end: Int64) -> Saying? {
    var place = newest[name]
    while let index = place, entries[index].saying.event > end { place = entries[index].earlier }
    return place.map { entries[$0].saying }
  }

  /// Adds the next event. Throws unless its number and hash follow from its predecessor's.
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

  /// Appends a run that begins where this one ends.
  mutating func append(_ other: RowTail) {
    for entry in other.entries { append(entry.name, entry.saying) }
    (last, chain) = (other.last, other.chain)
  }

  /// Drops the entries of events that a signed map covers, if they are enough to be worth the work.
  mutating func drop(through size: Int64) {
    let covered = entries.prefix { $0.saying.event <= size }.count
    guard size > base, size <= last, covered >= Self.leastDropped, covered >= entries.count / 2 else { return }
    let kept = entries.dropFirst(covered)
    (entries, newest, base) = ([], [:], size)
    for entry in kept { append(entry.name, entry.saying) }
  }
}
