internal import Base

/// What an event commits to for one row: the row's table and key, and the hash of its contents, or no hash if the row
/// was removed.
struct RowChange: Hashable, Sendable {
  let table: String
  /// The values of the row's key, one after the other, encoded by `ValueCoding`.
  let key: [UInt8]
  let digest: Digest?

  /// The type, and mostly the stream, of events that do nothing but commit to rows.
  static let ownEvent = "storage.rows"

  func append(to bytes: inout [UInt8]) {
    for value: Value in [.text(table), .bytes(key), digest.storedValue] { ValueCoding.append(value, to: &bytes) }
  }

  /// Decodes the rows to which an event commits; nil if the bytes are malformed.
  static func list(_ bytes: [UInt8]) -> [RowChange]? {
    var changes: [RowChange] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .text(let table)? = ValueCoding.take(from: &rest),
        case .bytes(let key)? = ValueCoding.take(from: &rest), let hash = ValueCoding.take(from: &rest),
        let digest = Digest?(storedValue: hash)
      else { return nil }
      changes.append(RowChange(table: table, key: key, digest: digest))
    }
    return changes
  }

  static func key(_ values: some Sequence<Value>) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { ValueCoding.append(value, to: &bytes) }
    return bytes
  }

  /// The values of a key as text for messages.
  static func title(_ key: [UInt8]) -> String {
    var rest = key[...]
    var values: [String] = []
    while let value = ValueCoding.take(from: &rest) {
      switch value {
      case .text(let text): values.append(text)
      case .integer(let integer): values.append(String(integer))
      case .bytes(let bytes): values.append(Hex.encode(bytes))
      case .real(let real): values.append(String(real))
      case .null: values.append("null")
      }
    }
    return values.joined(separator: ", ")
  }

  /// The name of a row for messages.
  static func title(of key: [UInt8], in table: String) -> String { "row (\(title(key))) of table '\(table)'" }

  /// SQLite returns a whole number in a real column sometimes as a real and sometimes as an integer, so it is always
  /// hashed as an integer.
  private static func uniform(_ value: Value) -> Value {
    guard case .real(let real) = value, real.magnitude < 0x1p53, real.rounded() == real else { return value }
    return .integer(Int64(real))
  }

  /// The hash of a row, over the table's name and the name and value of each committed column.
  ///
  /// - Parameter values: the values of the key, then those of the other committed columns.
  static func digest(
    table: String, key: [String], committed: [String], values: some BidirectionalCollection<Value>
  ) -> Digest {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    ValueCoding.append("assent row 1", to: &bytes)
    ValueCoding.append(table, to: &bytes)
    var rest = values[...]
    for names in [key, committed] {
      ValueCoding.append(.integer(Int64(names.count)), to: &bytes)
      for name in names {
        ValueCoding.append(name, to: &bytes)
        ValueCoding.append(uniform(rest.removeFirst()), to: &bytes)
      }
    }
    return Digest(of: bytes)
  }
}

/// The committed rows that a transaction has changed, each in its latest state.
struct RowChanges {
  private var places: [Place: Int] = [:]
  private var changes: [(table: TableCoverage, change: RowChange)] = []

  private struct Place: Hashable {
    let table: String
    let key: [UInt8]
  }

  /// - Parameter row: the row that the query returned; its last columns are those that `tracking` added.
  mutating func note(_ row: Row, of tracking: TrackedQuery) {
    let table = tracking.table
    let values = row.values.suffix(tracking.removes ? table.key.count : table.columns.count)
    let key = RowChange.key(values.prefix(table.key.count))
    let digest =
      tracking.removes
      ? nil
      : RowChange.digest(table: table.name, key: table.key, committed: table.committed, values: values)
    let change = RowChange(table: table.name, key: key, digest: digest)
    if let place = places[Place(table: table.name, key: key)] {
      changes[place].change = change
    } else {
      places[Place(table: table.name, key: key)] = changes.count
      changes.append((table, change))
    }
  }

  subscript(table: String, key: [UInt8]) -> RowChange? {
    places[Place(table: table, key: key)].map { changes[$0].change }
  }

  /// The changes grouped by table, in the order in which the tables were first changed.
  var byTable: [(table: TableCoverage, entries: [RowChange])] {
    var groups: [(table: TableCoverage, entries: [RowChange])] = []
    for (table, change) in changes {
      if let index = groups.firstIndex(where: { $0.table.name == table.name }) {
        groups[index].entries.append(change)
      } else {
        groups.append((table, [change]))
      }
    }
    return groups
  }
}
