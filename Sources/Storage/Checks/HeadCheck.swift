internal import Base

/// Compares signed heads of one tenant's log with the tree of its events.
struct HeadCheck {
  let snapshot: Snapshot
  /// One of these keys must have signed each head; if there are none, signatures are not checked.
  let trusted: [VerifyingKey]

  /// The head in a row of `storage_signed_heads`, which has to be one of this log with as many events as the row says.
  func head(in row: Row, of size: Int64) throws(LogProblem) -> SignedCheckpoint {
    let head: SignedCheckpoint
    do throws(EvidenceProblem) {
      head = try SignedCheckpoint(note: (try? row.get("checkpoint", as: String.self)) ?? "")
    } catch {
      throw LogProblem(text: "the signed head of \(size) events is none: \(error.detail)")
    }
    let checkpoint = head.checkpoint
    guard checkpoint.size == size, checkpoint.origin.hasSuffix("/\(snapshot.context.schema.name)/\(snapshot.tenant)")
    else {
      throw LogProblem(
        text: "the signed head of \(size) events is that of \(checkpoint.size) of '\(checkpoint.origin)'")
    }
    return head
  }

  /// Throws unless a head is that of the log's first events.
  ///
  /// - Parameters:
  ///   - name: the head's name in a problem.
  ///   - events: how many events the log has, or how many of them the tree has so far.
  ///   - last: how many events the head before this one has, which did match.
  ///   - node: the hashes of full subtrees, computed from the events.
  func compare(
    _ head: SignedCheckpoint, _ name: String, with events: Int, after last: Int64? = nil,
    _ node: (MerkleNode) -> Digest
  ) throws(LogProblem) {
    let checkpoint = head.checkpoint
    guard checkpoint.size <= events else {
      throw LogProblem(
        text: "the \(name) has \(checkpoint.size) events, the log \(events): what followed is missing")
    }
    guard trusted.isEmpty || head.isSigned(byOneOf: trusted) else {
      throw LogProblem(text: "the \(name) of \(checkpoint.size) events is signed by no trusted key")
    }
    guard MerkleTree.root(of: checkpoint.size, { node($0) }) == checkpoint.root else {
      let range = last.map { ": something among events \($0 + 1) to \(checkpoint.size) was changed" } ?? ""
      throw LogProblem(text: "the first \(checkpoint.size) events are not those of the \(name)\(range)")
    }
  }
}

/// Compares the signed heads in the database with the events while these are read in their order. It remembers one hash
/// for each level of the tree, whatever the number of events.
struct SignedHeadCheck {
  private let snapshot: Snapshot
  private let check: HeadCheck
  private var events = 0
  /// The newest full subtree of each level. From these the root of all events so far is computed.
  private var newest: [Digest] = []
  /// The heads that were read and not yet compared.
  private var rows: ArraySlice<Row> = []
  private var isReadToEnd = false
  /// How many events the last head has that was read.
  private var lastRead = Int64.min
  /// How many events the last head has that was compared.
  private var size: Int64 = 0

  private static let pageLength = 100

  init(snapshot: Snapshot, trusted: [VerifyingKey]) {
    self.snapshot = snapshot
    check = HeadCheck(snapshot: snapshot, trusted: trusted)
  }

  /// Adds the next event to the tree, and compares a head that ends with it.
  mutating func note(_ event: Event) throws {
    let leaf = event.leaf(of: snapshot.tenant)
    let added = MerkleTree.added(leaf, at: Int64(events)) { newest[$0.level] }
    for (node, hash) in added {
      if node.level < newest.count { newest[node.level] = hash } else { newest.append(hash) }
    }
    events += 1
    while let next = try waiting(), next.size <= Int64(events) { try compare(next.row, next.size) }
  }

  /// Compares the heads that are left, after the last event.
  mutating func end() throws {
    while let next = try waiting() { try compare(next.row, next.size) }
    let signed: Int64 = try snapshot.first(TreeStatements.size)?.get("size") ?? 0
    if size != signed { throw LogProblem(text: "its newest signed head has \(size) events, its tree \(signed)") }
  }

  /// The first head that was not compared yet; nil after the last one.
  private mutating func waiting() throws(DatabaseError) -> (row: Row, size: Int64)? {
    if rows.isEmpty, !isReadToEnd {
      let page = try snapshot.all(TreeStatements.headsAfter, lastRead, Self.pageLength)
      isReadToEnd = page.count < Self.pageLength
      if let last = page.last { lastRead = try last.get("size") }
      rows = page[...]
    }
    guard let row = rows.first else { return nil }
    return (row, try row.get("size"))
  }

  private mutating func compare(_ row: Row, _ size: Int64) throws(LogProblem) {
    let head = try check.head(in: row, of: size)
    try check.compare(head, "signed head", with: events) { newest[$0.level] }
    rows = rows.dropFirst()
    self.size = size
  }
}
