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
  /// Whether each row has a stream of its own, to which Storage appends an event for each change. The newest event of
  /// the stream then tells what the row must be, without a search. For rows that grant something and are looked up
  /// often.
  let isRowByRow: Bool
  let exempt: [String: String]

  public init(
    _ name: String, key: [String], by kind: String? = nil, committed: [String], exempt: [String: String] = [:]
  ) {
    self.init(name, key, kind, isRowByRow: false, committed, exempt)
  }

  /// A table each of whose rows has a stream of its own.
  public init(_ name: String, rowByRow key: [String], committed: [String], exempt: [String: String] = [:]) {
    self.init(name, key, nil, isRowByRow: true, committed, exempt)
  }

  private init(
    _ name: String, _ key: [String], _ kind: String?, isRowByRow: Bool, _ committed: [String],
    _ exempt: [String: String]
  ) {
    self.name = name
    self.key = key
    self.committed = committed
    self.kind = kind
    self.isRowByRow = isRowByRow
    self.exempt = exempt
    shape = RowShapeText(key: key, committed: committed, isRowByRow: isRowByRow)
    precondition(!key.isEmpty && !committed.contains { key.contains($0) }, "coverage of '\(name)': a key, and more")
  }

  /// A table without committed columns, for a stated reason.
  public init(_ name: String, exempt reason: String) {
    self.name = name
    (key, committed, kind, isRowByRow) = ([], [], nil, false)
    shape = RowShapeText(key: [], committed: [])
    exempt = ["*": reason]
  }

  var isCommitted: Bool { !key.isEmpty }

  /// The columns over which a row is hashed: its key, then the other committed ones.
  var columns: [String] { key + committed }

  /// Recorded in the database, so that tools can check a database whose service they do not know.
  let shape: RowShapeText

  /// The stream of the events that commit to the row with this key; nil if they may be in any stream.
  func stream(of key: [UInt8]) -> String? { isRowByRow ? "row:\(name):\(RowChange.title(key))" : nil }
}

/// The committed columns of a table as text: `id|place,body`, or `id|place,body|rows` if each row has its own stream.
struct RowShapeText: Hashable, Sendable {
  let key: [String]
  let committed: [String]
  let isRowByRow: Bool
  let text: String

  init(key: [String], committed: [String], isRowByRow: Bool = false) {
    self.key = key
    self.committed = committed
    self.isRowByRow = isRowByRow
    text = "\(key.joined(separator: ","))|\(committed.joined(separator: ","))" + (isRowByRow ? "|rows" : "")
  }

  /// Reads the form of `text`; nil for anything else, since the names become part of queries.
  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 && parts[2] == "rows" else { return nil }
    self.init(
      key: parts[0].split(separator: ",").map(String.init), committed: parts[1].split(separator: ",").map(String.init),
      isRowByRow: parts.count == 3)
    guard !key.isEmpty, (key + committed).allSatisfy({ $0.isPlainName }) else { return nil }
  }
}

extension String {
  /// Whether this can be used in SQL as a name without quotes.
  var isPlainName: Bool {
    !isEmpty && utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }
}
