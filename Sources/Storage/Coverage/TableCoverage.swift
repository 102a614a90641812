/// Declares to which columns of a table events commit: each column is committed, or exempt for a stated reason.
///
/// ```swift
/// static let coverage = [
///   TableCoverage("records", key: ["id"], by: "consent", committed: ["state", "head"], exempt: [
///     "seen_ms": "tells when it was last shown; nothing is decided by it"])
/// ]
/// ```
/// When a statement changes committed columns of a row, an event of the same transaction contains the hash of the row's
/// new state. Storage adds it by itself, so no store can forget it. Committed columns must hold no personal data in
/// clear, because the hash stays when a subject is erased; they may hold sealed bytes.
public struct TableCoverage: Sendable {
  public let name: String
  /// The columns that identify a row within its tenant. They hold text, integers or bytes, and never change.
  let key: [String]
  let committed: [String]
  /// The type of the event that commits to a changed row; nil for the last event of the transaction or, if there is
  /// none, one of Storage's own.
  let kind: String?
  let exempt: [String: String]

  public init(
    _ name: String, key: [String], by kind: String? = nil, committed: [String], exempt: [String: String] = [:]
  ) {
    self.name = name
    self.key = key
    self.committed = committed
    self.kind = kind
    self.exempt = exempt
    shape = RowShapeText(key: key, committed: committed)
    precondition(!key.isEmpty && !committed.contains { key.contains($0) }, "coverage of '\(name)': a key, and more")
  }

  /// A table without committed columns, for a stated reason.
  public init(_ name: String, exempt reason: String) {
    self.name = name
    (key, committed, kind) = ([], [], nil)
    shape = RowShapeText(key: [], committed: [])
    exempt = ["*": reason]
  }

  var isCommitted: Bool { !key.isEmpty }

  /// The columns over which a row is hashed: its key, then the other committed ones.
  var columns: [String] { key + committed }

  /// Recorded in the database, so that tools can check a database whose service they do not know.
  let shape: RowShapeText
}

/// The committed columns of a table as text: `id|place,body`.
struct RowShapeText: Hashable, Sendable {
  let key: [String]
  let committed: [String]
  let text: String

  init(key: [String], committed: [String]) {
    self.key = key
    self.committed = committed
    text = "\(key.joined(separator: ","))|\(committed.joined(separator: ","))"
  }

  /// Reads the form of `text`; nil for anything else, since the names become part of queries.
  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(
      key: parts[0].split(separator: ",").map(String.init), committed: parts[1].split(separator: ",").map(String.init))
    guard !key.isEmpty, (key + committed).allSatisfy({ $0.isPlainName }) else { return nil }
  }
}

extension String {
  /// Whether this can be used in SQL as a name without quotes.
  var isPlainName: Bool {
    !isEmpty && utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }
}
