internal import Base

/// Compares a log's map of rows with the one computed from its events.
struct RowMapCheck {
  let snapshot: Snapshot
  let trusted: [VerifyingKey]
  /// How many events the map covers, according to the database; nil if the map has no head.
  private var size: Int64?
  /// For each row the newest event that commits to it, among the events that the map covers.
  private var newest: [RowName: Int64] = [:]

  init(snapshot: Snapshot, trusted: [VerifyingKey]) {
    self.snapshot = snapshot
    self.trusted = trusted
  }

  /// Reads how many events the map covers.
  mutating func begin() throws { size = try snapshot.first(RowMapStatements.head)?.get("size") }

  /// Notes to which row an event commits. To be called in the order of the log.
  mutating func note(_ change: RowChange, _ event: Int64) {
    guard let size, event <= size else { return }
    newest[RowName(table: change.table, key: change.key)] = event
  }

  /// - Parameter signed: how many events the log's tree has.
  func problems(signed: Int64) throws -> [String] {
    guard let row = try snapshot.first(RowMapStatements.head), let size else {
      return signed > 0 ? ["there is no map of its rows, and \(signed) events are signed"] : []
    }
    var problems: [String] = []
    if size != signed { problems.append("its map of rows covers \(size) events, its tree \(signed)") }
    let entries = newest.map { RowPage.Entry(name: $0.key, event: $0.value) }.sorted { $0.name < $1.name }
    var expected: [String: Digest] = [:]
    let root = RowPage.build(entries[...], at: .root) { expected[$0.text] = $1.digest }
    problems += check(try row.get("checkpoint"), root)
    try snapshot.each(RowMapStatements.allPages) { row in
      let (prefix, page): (String, [UInt8]) = (try row.get("prefix"), try row.get("page"))
      guard let digest = expected.removeValue(forKey: prefix) else {
        return problems.append("page '\(prefix)' has no place in the map of rows")
      }
      if Digest(of: page) != digest {
        problems.append("page '\(prefix)' of the map of rows is not what the events make it")
      }
    }
    return problems + expected.keys.sorted().map { "page '\($0)' of the map of rows is missing" }
  }

  private func check(_ note: String, _ root: Digest) -> [String] {
    guard let head = try? SignedCheckpoint(note: note) else { return ["the head of its map of rows is none"] }
    let suffix = Checkpoint.rowMapOrigin("/\(snapshot.context.schema.name)/\(snapshot.tenant)")
    guard head.checkpoint.origin.hasSuffix(suffix), head.checkpoint.size == size else {
      let (size, origin) = (head.checkpoint.size, head.checkpoint.origin)
      return ["the head of its map of rows is that of \(size) events of '\(origin)'"]
    }
    guard trusted.isEmpty || head.isSigned(byOneOf: trusted) else {
      return ["the head of its map of rows is signed by no trusted key"]
    }
    return head.checkpoint.root == root ? [] : ["its map of rows is not the one that was signed for its events"]
  }
}
