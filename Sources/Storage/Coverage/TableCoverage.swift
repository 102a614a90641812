/// Which columns of a table events commit to: each column is committed, or exempt for a stated reason.
///
/// ```swift
/// static let coverage = [
///   TableCoverage("records", key: ["id"], by: "consent", committed: ["state", "head"], exempt: [
///     "seen_ms": "tells when it was last shown; nothing is decided by it"])
/// ]
/// ```
/// When a statement changes committed columns of a row, an event of the same transaction carries the hash of the row as
/// it is then. Storage sees to that by itself: no store can forget it. Committed columns must hold no personal data in
/// clear, because the hash stays when a subject is erased; they may hold sealed bytes.
public struct TableCoverage: Sendable {
  public let name: String
  /// The columns that name a row within its tenant: text, integers or bytes, never changed.
  let key: [String]
  let committed: [String]
  /// The kind of event that commits to a changed row; nil: the last one of the transaction, or one of Storage's own.
  let kind: String?
  /// Whether each row has a stream of its own, with an event of Storage's own for each change: the newest one tells at
  /// once how the row has to be, or that there must be none. For rows that grant something and are looked up often.
  let isRowByRow: Bool
  let exempt: [String: String]

  public init(
    _ name: String, key: [String], by kind: String? = nil, committed: [String], exempt: [String: String] = [:]
  ) {
    self.init(name, key, kind, isRowByRow: false, committed, exempt)
  }

  /// A table whose rows have a stream each.
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

  /// A table of which nothing is committed to, with the reason.
  public init(_ name: String, exempt reason: String) {
    self.name = name
    (key, committed, kind, isRowByRow) = ([], [], nil, false)
    shape = RowShapeText(key: [], committed: [])
    exempt = ["*": reason]
  }

  var isCommitted: Bool { !key.isEmpty }

  /// The columns that a changed row is hashed from: its key, then the rest.
  var columns: [String] { key + committed }

  /// Remembered with the data, so that tools can check a database whose service they do not know.
  let shape: RowShapeText

  /// Where events commit to a row of a key; nil: wherever its transaction wrote one.
  func stream(of key: [UInt8]) -> String? { isRowByRow ? "row:\(name):\(RowChange.title(key))" : nil }
}

/// The columns of a table that are committed to: `id|place,body`, and `id|place,body|rows` where each row has a stream.
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

  /// nil for what was not written by `text`: it becomes part of a query.
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
  /// Whether this can stand in SQL as a name.
  var isPlainName: Bool {
    !isEmpty && utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
  }
}
