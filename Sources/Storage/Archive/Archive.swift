internal import Base

/// One record of an archive, which is a backup in one file. Its format is the same for both engines, so that a database
/// can also be moved from one to the other.
///
/// An archive holds the migrations as they were applied, then every row, and last the hash of everything before. Sealed
/// data stay sealed: every key in an archive is wrapped by the master key, so that they cannot be read without it.
enum ArchiveRecord {
  case schema(name: String)
  case migration(
    history: String, version: Int64, name: String, sql: String, checksum: Digest, appliedMilliseconds: Int64)
  case table(name: String, columns: [String])
  case row([Value])
  case end(rows: Int64, digest: Digest)

  static let heading = Array("assent archive 1\n".utf8)

  private var values: [Value] {
    switch self {
    case .schema(let name): [.text("schema"), .text(name)]
    case .migration(let history, let version, let name, let sql, let checksum, let applied):
      [
        .text("migration"), .text(history), .integer(version), .text(name), .text(sql), checksum.storedValue,
        .integer(applied),
      ]
    case .table(let name, let columns): [.text("table"), .text(name)] + columns.map { .text($0) }
    case .row(let values): [.text("row")] + values
    case .end(let rows, let digest): [.text("end"), .integer(rows), digest.storedValue]
    }
  }

  /// The record's length in four bytes, then its values.
  var encoded: [UInt8] {
    var content: [UInt8] = []
    for value in values { ValueCoding.append(value, to: &content) }
    var bytes: [UInt8] = []
    ValueCoding.append(UInt64(content.count), width: 4, to: &bytes)
    return bytes + content
  }

  init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    var values: [Value] = []
    while !rest.isEmpty {
      guard let value = ValueCoding.take(from: &rest) else { return nil }
      values.append(value)
    }
    guard case .text(let kind)? = values.first else { return nil }
    let fields = Array(values.dropFirst())
    switch kind {
    case "schema":
      guard let name = fields.text(0) else { return nil }
      self = .schema(name: name)
    case "migration":
      guard let history = fields.text(0), let version = fields.integer(1), let name = fields.text(2),
        let sql = fields.text(3), fields.count == 6, let checksum = Digest(storedValue: fields[4]),
        let applied = fields.integer(5)
      else { return nil }
      self = .migration(
        history: history, version: version, name: name, sql: sql, checksum: checksum, appliedMilliseconds: applied)
    case "table":
      guard let name = fields.text(0) else { return nil }
      self = .table(name: name, columns: fields.indices.dropFirst().compactMap { fields.text($0) })
    case "row":
      self = .row(fields)
    case "end":
      guard let rows = fields.integer(0), fields.count == 2, let digest = Digest(storedValue: fields[1]) else {
        return nil
      }
      self = .end(rows: rows, digest: digest)
    default: return nil
    }
  }
}

extension [Value] {
  fileprivate func text(_ index: Int) -> String? {
    guard indices.contains(index), case .text(let text) = self[index] else { return nil }
    return text
  }

  fileprivate func integer(_ index: Int) -> Int64? {
    guard indices.contains(index), case .integer(let integer) = self[index] else { return nil }
    return integer
  }
}
