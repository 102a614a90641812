internal import Base
internal import Synchronization

/// The pages of a map on the paths to some rows. Each is verified by the hash of it in its parent.
struct RowPages {
  private let snapshot: Snapshot
  private var pages: [RowPrefix: RowPage] = [:]
  /// Pages that were read from the database, but not verified yet.
  private var stored: [RowPrefix: [UInt8]] = [:]

  private struct Step {
    let prefix: RowPrefix
    let digest: Digest
    let names: ArraySlice<RowName>
  }

  /// How many levels are read ahead in one query when few rows are looked up.
  private static let ahead = 8

  /// - Parameter names: the names of the rows, in order.
  init(to names: [RowName], under root: Digest, in snapshot: Snapshot) throws(DatabaseError) {
    self.snapshot = snapshot
    var steps = names.isEmpty ? [] : [Step(prefix: .root, digest: root, names: names[...])]
    while !steps.isEmpty {
      try load(steps)
      var next: [Step] = []
      for step in steps {
        guard case .branch(let children)? = pages[step.prefix] else { continue }
        for (digit, group) in step.names.groups(at: step.prefix.depth, { $0 }) {
          guard let digest = children[digit] else { continue }
          next.append(Step(prefix: step.prefix.child(digit), digest: digest, names: group))
        }
      }
      steps = next
    }
  }

  subscript(prefix: RowPrefix) -> RowPage? { pages[prefix] }

  /// The newest event that commits to one of these rows, according to the map; nil if there is none.
  func newest(_ name: RowName) -> Int64? {
    var prefix = RowPrefix.root
    while let page = pages[prefix] {
      switch page {
      case .leaf(let entries): return entries.first { $0.name == name }?.event
      case .branch(let children):
        let digit = name.digit(prefix.depth)
        if children[digit] == nil { return nil }
        prefix = prefix.child(digit)
      }
    }
    return nil
  }

  private mutating func load(_ steps: [Step]) throws(DatabaseError) {
    let cache = snapshot.context.rowMaps
    var missing: [Step] = []
    for step in steps {
      if let known = cache.page(step.digest) {
        pages[step.prefix] = known
      } else {
        missing.append(step)
      }
    }
    let unread = missing.filter { stored[$0.prefix] == nil }
    let isNarrow = unread.reduce(0) { $0 + $1.names.count } <= RowMapStatements.pagesAtOnce / Self.ahead
    try read(
      unread.flatMap { step in
        isNarrow ? step.names.flatMap { step.prefix.way(to: $0, count: Self.ahead) } : [step.prefix]
      })
    for step in missing {
      guard let bytes = stored[step.prefix], Digest(of: bytes) == step.digest, let page = RowPage(bytes: bytes) else {
        throw DatabaseError(
          .corrupt,
          "tenant '\(snapshot.tenant)': page '\(step.prefix.text)' of the map of rows is not the one that was signed")
      }
      pages[step.prefix] = page
      cache.add(page, step.digest)
    }
  }

  private mutating func read(_ prefixes: [RowPrefix]) throws(DatabaseError) {
    var rest = prefixes[...]
    while let last = rest.prefix(RowMapStatements.pagesAtOnce).last {
      var chunk = rest.prefix(RowMapStatements.pagesAtOnce).map { Value.text($0.text) }
      rest = rest.dropFirst(chunk.count)
      chunk += repeatElement(.text(last.text), count: RowMapStatements.pagesAtOnce - chunk.count)
      let rows = try snapshot.connection.all(RowMapStatements.pages.query, [.text(snapshot.tenant.id)] + chunk)
      for row in rows {
        let (prefix, page): (String, [UInt8]) = (try row.get("prefix"), try row.get("page"))
        stored[RowPrefix(text: prefix)] = page
      }
    }
  }
}

/// A cache of verified facts that never change: pages of maps by their hashes, what an event commits to for a row, and
/// integers in rows by the rows' hashes.
final class RowMapCache: Sendable {
  private struct Place: Hashable {
    let tenant: String
    let name: RowName
    let event: Int64
  }

  private struct Cell: Hashable {
    let row: Digest
    let column: String
  }

  private let pages = Mutex(BoundedCache<Digest, RowPage>(mostBytes: 8 << 20))
  private let sayings = Mutex(BoundedCache<Place, RowTail.Saying>(mostBytes: 8 << 20))
  private let numbers = Mutex(BoundedCache<Cell, Int64>(mostBytes: 2 << 20))
  /// Roughly how many bytes of memory an entry takes.
  private static let pageBytes = 1024
  private static let sayingBytes = 200
  private static let numberBytes = 160

  func page(_ digest: Digest) -> RowPage? { pages.withLock { $0.value(for: digest) } }

  func add(_ page: RowPage, _ digest: Digest) {
    pages.withLock { $0.insert(page, for: digest, byteCount: Self.pageBytes) }
  }

  /// What an event commits to for a row; nil if it is not in the cache.
  func saying(of event: Int64, about name: RowName, _ tenant: Tenant) -> RowTail.Saying? {
    sayings.withLock { $0.value(for: Place(tenant: tenant.id, name: name, event: event)) }
  }

  func add(_ saying: RowTail.Saying, about name: RowName, _ tenant: Tenant) {
    let place = Place(tenant: tenant.id, name: name, event: saying.event)
    sayings.withLock { $0.insert(saying, for: place, byteCount: Self.sayingBytes) }
  }

  /// The integer in a column of the row with this hash; nil if it is not in the cache.
  func number(in column: String, of row: Digest) -> Int64? {
    numbers.withLock { $0.value(for: Cell(row: row, column: column)) }
  }

  func add(_ number: Int64, in column: String, of row: Digest) {
    numbers.withLock { $0.insert(number, for: Cell(row: row, column: column), byteCount: Self.numberBytes) }
  }
}
