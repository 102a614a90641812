internal import Base

/// What an event says of one row: its table and key, and the hashes of its contents before and after. A hash is nil
/// where the row does not exist.
///
/// The hash from before makes each row's history a chain of its own: a row that somebody altered or removed by hand
/// shows in the log even if the service has changed or made it again since.
struct RowChange: Hashable, Sendable {
  let table: String
  /// The values of the row's key, one after the other, encoded by `ValueCoding`.
  let key: [UInt8]
  var before: Digest?
  var after: Digest?

  /// The type and stream of events that do nothing but commit to rows.
  static let ownEvent = "storage.rows"

  /// What the row is after the change.
  var state: RowState { RowState(table: table, key: key, digest: after) }

  /// Says once more what the row is after the change.
  var restated: RowChange { RowChange(table: table, key: key, before: after, after: after) }

  func append(to bytes: inout [UInt8]) {
    for value: Value in [.text(table), .bytes(key), before.storedValue, after.storedValue] {
      ValueCoding.append(value, to: &bytes)
    }
  }

  /// Decodes the rows to which an event commits; nil if the bytes are malformed.
  static func list(_ bytes: [UInt8]) -> [RowChange]? {
    var changes: [RowChange] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .text(let table)? = ValueCoding.take(from: &rest),
        case .bytes(let key)? = ValueCoding.take(from: &rest), let before = ValueCoding.take(from: &rest),
        let after = ValueCoding.take(from: &rest), let before = Digest?(storedValue: before),
        let after = Digest?(storedValue: after)
      else { return nil }
      changes.append(RowChange(table: table, key: key, before: before, after: after))
    }
    return changes
  }

  static func key(_ values: some Sequence<Value>) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { ValueCoding.append(value, to: &bytes) }
    return bytes
  }

  static func values(of key: [UInt8]) -> [Value] {
    var (values, rest) = ([Value](), key[...])
    while let value = ValueCoding.take(from: &rest) { values.append(value) }
    return values
  }

  /// The values of a key as text for messages.
  static func title(_ key: [UInt8]) -> String {
    let texts = values(of: key).map { value in
      switch value {
      case .text(let text): text
      case .integer(let integer): String(integer)
      case .bytes(let bytes): Hex.encode(bytes)
      case .real(let real): String(real)
      case .null: "null"
      }
    }
    return texts.joined(separator: ", ")
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

/// A row's table, key and the hash of its contents; no hash if it does not exist.
struct RowState: Hashable, Sendable {
  let table: String
  let key: [UInt8]
  let digest: Digest?

  func append(to bytes: inout [UInt8]) {
    for value: Value in [.text(table), .bytes(key), digest.storedValue] { ValueCoding.append(value, to: &bytes) }
  }
}

/// The committed rows that a transaction has changed, each from its first state to its latest.
struct RowChanges {
  private var places: [Place: Int] = [:]
  private var changes: [(table: TableCoverage, change: RowChange)] = []

  private struct Place: Hashable {
    let table: String
    let key: [UInt8]
  }

  mutating func note(_ change: TrackedQuery.Change, in table: TableCoverage) {
    let place = Place(table: table.name, key: change.key)
    if let known = places[place] {
      changes[known].change.after = change.after
    } else {
      places[place] = changes.count
      changes.append(
        (table, RowChange(table: table.name, key: change.key, before: change.before, after: change.after)))
    }
  }

  /// The latest change of a row; nil if the row was not changed.
  subscript(table: String, key: [UInt8]) -> RowChange? {
    places[Place(table: table, key: key)].map { changes[$0].change }
  }

  /// The changes grouped by table, in the order in which the tables were first changed. Rows that are as they were
  /// before are left out.
  var byTable: [(table: TableCoverage, entries: [RowChange])] {
    var groups: [(table: TableCoverage, entries: [RowChange])] = []
    for (table, change) in changes where change.before != change.after {
      if let index = groups.firstIndex(where: { $0.table.name == table.name }) {
        groups[index].entries.append(change)
      } else {
        groups.append((table, [change]))
      }
    }
    return groups
  }
}
