@testable import Storage

/// The rows of a list, sorted in memory. Rows that tie in the list's order may come in any order among each other.
struct SortedRows: Hashable, Sendable {
  let count: Int
  /// The rows of each place in the order, and how often each is there.
  private let ties: [[[Value]: Int]]

  var isEmpty: Bool { count == 0 }

  init(
    _ list: ListedRows, _ tenant: String, _ conditions: [Value], _ connection: any Connection
  ) throws(DatabaseError) {
    let keys = list.keys
    let rows = try connection.all(list.everything, list.values(tenant: tenant, conditions: conditions)).map(\.values)
    let places = Dictionary(grouping: rows) { $0.suffix(keys.count) }.sorted { one, other in
      for (index, key) in keys.enumerated() {
        let (left, right) = (one.key[one.key.startIndex + index], other.key[other.key.startIndex + index])
        if left != right { return Self.precedes(left, right) != key.descends }
      }
      return false
    }
    count = rows.count
    ties = places.map { Self.counts($0.value.map { Array($0.dropLast(keys.count)) }) }
  }

  /// Whether these are the first rows, in order.
  func begin(with rows: [[Value]]) -> Bool {
    var rest = rows[...]
    for tie in ties where !rest.isEmpty {
      let next = rest.prefix(tie.values.reduce(0, +))
      guard Self.counts(next).allSatisfy({ $0.value <= tie[$0.key, default: 0] }) else { return false }
      rest = rest.dropFirst(next.count)
    }
    return rest.isEmpty
  }

  private static func counts(_ rows: some Sequence<[Value]>) -> [[Value]: Int] {
    Dictionary(rows.lazy.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Texts are ordered by their bytes.
  static func precedes(_ one: Value, _ other: Value) -> Bool {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
    default: one == .null && other != .null
    }
  }
}
