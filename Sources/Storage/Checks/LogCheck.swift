internal import Base

/// Checks one tenant's log from its first event on: numbers, chain, codes, tree, signed heads, and the rows to which
/// the events commit.
struct LogCheck {
  let snapshot: Snapshot
  let tables: CommittedTables
  let givenHeads: [SignedCheckpoint]
  let progress: DataProgress
  private(set) var problems: [String] = []
  /// How many problems were found beyond those that a report lists.
  private var unlisted = 0
  private(set) var events = 0
  private(set) var heads = 0
  private(set) var givenHeadsThatFit = 0
  private(set) var rows = 0
  /// The hashes of full subtrees, by level and position: the whole tree, computed from the events.
  private var tree: [[Digest]] = []
  /// For each row the last event that commits to it.
  private var said: [String: [[UInt8]: Saying]] = [:]
  private var rowMap: RowMapCheck
  private var log: EventCheck
  private let signedHeads: HeadCheck

  private typealias Saying = RowComparison.Saying

  /// - Parameter opensKeys: whether the master key is known, without which codes cannot be verified.
  init(
    snapshot: Snapshot, tables: CommittedTables, givenHeads: [SignedCheckpoint], trusted: [VerifyingKey],
    opensKeys: Bool, progress: @escaping DataProgress
  ) {
    self.snapshot = snapshot
    self.tables = tables
    self.givenHeads = givenHeads
    self.progress = progress
    rowMap = RowMapCheck(snapshot: snapshot, trusted: trusted)
    log = EventCheck(snapshot: snapshot, opensKeys: opensKeys)
    signedHeads = HeadCheck(snapshot: snapshot, trusted: trusted)
  }

  private mutating func note(_ problem: String) {
    // The last line tells how many are not listed.
    guard problems.count < CheckReport.mostProblems - 1 else {
      unlisted += 1
      return
    }
    problems.append("tenant '\(snapshot.tenant)': \(problem)")
  }

  mutating func run() throws {
    try check()
    if unlisted > 0 { problems.append("tenant '\(snapshot.tenant)': \(unlisted) more problems are not listed") }
  }

  private mutating func check() throws {
    try rowMap.begin()
    try log.begin()
    try checkEvents()
    try checkNodes()
    try checkSignedHeads()
    checkGivenHeads()
    for problem in try rowMap.problems(signed: signedSize()) { note(problem) }
    for (name, shapes) in tables.shapes.sorted(by: { $0.key < $1.key }) { try checkRows(name, shapes) }
    for name in said.keys.sorted() where tables.shapes[name] == nil {
      note("events commit to rows of table '\(name)', of which storage_shapes says nothing")
    }
  }

  // MARK: Events

  private mutating func checkEvents() throws {
    let what = "events of tenant '\(snapshot.tenant)' are read"
    try snapshot.each(EventStatements.after, Int64.min, Int64.max) { row in
      let (event, problems) = try log.next(row)
      events += 1
      progress(events, what)
      for problem in problems { note(problem) }
      grow(event)
    }
    for problem in try log.end().problems + log.codeProblems { note(problem) }
  }

  private mutating func grow(_ event: Event) {
    let index = Int64(tree.first?.count ?? 0)
    let added = MerkleTree.added(event.leaf(of: snapshot.tenant), at: index) { computed($0) }
    for (node, hash) in added {
      if tree.count <= node.level { tree.append([]) }
      tree[node.level].append(hash)
    }
    guard let changes = RowChange.list(event.changes) else {
      return note("what event \(event.sequence) commits to cannot be read")
    }
    for change in changes {
      said[change.table, default: [:]][change.key] = Saying(digest: change.digest, event: event.sequence)
      rowMap.note(change, event.sequence)
    }
  }

  /// How many events the tree covers, according to the database.
  private func signedSize() throws -> Int64 { try snapshot.first(TreeStatements.size)?.get("size") ?? 0 }

  private func computed(_ node: MerkleNode) -> Digest { tree[node.level][Int(node.position)] }

  // MARK: Tree and heads

  /// Checks that the stored nodes of the tree are those computed from the events, and that none is missing.
  private mutating func checkNodes() throws {
    let size = try signedSize()
    if size > events { note("its tree has \(size) events, the log \(events)") }
    var kept: Int64 = 0
    try snapshot.each(TreeStatements.nodes) { row in
      let (level, position): (Int, Int64) = (try row.get("level"), try row.get("position"))
      let isInTree = level >= 0 && level < 63 && position >= 0 && position < size >> Int64(level)
      guard isInTree else { return note("node \(position) of level \(level) has no place in the tree") }
      kept += 1
      guard tree.indices.contains(level), position < tree[level].count else { return }
      if try row.get("hash") != tree[level][Int(position)] {
        note(
          level == 0
            ? "event \(position + 1) is not the one that was hashed into the tree"
            : "node \(position) of level \(level) is not the hash of its events")
      }
    }
    let expected = size <= 0 ? 0 : (0..<63).reduce(Int64(0)) { $0.addingSaturating(size >> Int64($1)) }
    if kept != expected { note("its tree has \(kept) nodes instead of \(expected)") }
  }

  private mutating func checkSignedHeads() throws {
    let size = try signedSize()
    var newest: Int64 = 0
    for row in try snapshot.all(TreeStatements.headsAfter, Int64.min, Int64.max) {
      newest = try row.get("size")
      do throws(LogProblem) {
        let head = try signedHeads.head(in: row, of: newest)
        try signedHeads.compare(head, "signed head", with: events) { computed($0) }
        heads += 1
      } catch {
        note(error.text)
      }
    }
    if newest != size { note("its newest signed head has \(newest) events, its tree \(size)") }
  }

  /// Checks the given heads, the smallest first: the first one that does not match shows between which events something
  /// was changed.
  private mutating func checkGivenHeads() {
    var last: Int64 = 0
    for head in givenHeads.sorted(by: { $0.checkpoint.size < $1.checkpoint.size }) {
      do throws(LogProblem) {
        try signedHeads.compare(head, "given head", with: events, after: last) { computed($0) }
      } catch {
        return note(error.text)
      }
      heads += 1
      givenHeadsThatFit += 1
      last = head.checkpoint.size
    }
  }

  // MARK: Rows

  private mutating func checkRows(_ name: String, _ shapes: [RowShapeText]) throws {
    var comparison = RowComparison(of: name, said[name] ?? [:], progress: progress)
    try comparison.compare(snapshot.tenant, shapes, over: snapshot.connection) { note($0) }
    for problem in comparison.missing { note(problem) }
    rows += comparison.fitting
  }
}
