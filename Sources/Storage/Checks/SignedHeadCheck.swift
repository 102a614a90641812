internal import Base

/// Compares signed heads of one tenant's log with the events while these are read in their order: those in the
/// database, and those that were kept elsewhere. It remembers one hash for each level of the tree, whatever the number
/// of events.
struct SignedHeadCheck: Sendable {
  private let tenant: Tenant
  /// One of these keys must have signed each head; if there are none, signatures are not checked.
  private let trusted: [VerifyingKey]
  /// The given heads that were not compared yet, the smallest first: the first one that does not match shows between
  /// which events something was changed.
  private var given: ArraySlice<SignedCheckpoint>
  private var events: Int64 = 0
  /// The newest full subtree of each level. From these the root of all events so far is computed.
  private var newest: [Digest] = []
  /// How many events the last head in the database has that was compared.
  private var compared: Int64 = 0
  /// The head after it; nil if that was not read yet.
  private var next: (size: Int64, note: String)?
  private var lastRead = Int64.min
  /// Whether the present snapshot has no more heads.
  private var isReadToEnd = false
  /// How many events the last given head has that fits.
  private var lastGiven: Int64 = 0
  /// How many heads fit, and how many of these were given.
  private(set) var fitting = 0
  private(set) var givenThatFit = 0

  init(of tenant: Tenant, given: [SignedCheckpoint] = [], trusted: [VerifyingKey]) {
    (self.tenant, self.trusted) = (tenant, trusted)
    self.given = given.sorted { $0.checkpoint.size < $1.checkpoint.size }[...]
  }

  /// Begins with another snapshot, which may have more heads.
  mutating func begin() { isReadToEnd = false }

  /// Adds the next event to the tree, and compares the heads that end with it. Returns what is wrong with them.
  mutating func note(_ leaf: Digest, _ snapshot: Snapshot) throws(DatabaseError) -> [String] {
    for (node, hash) in MerkleTree.added(leaf, at: events, { newest[$0.level] }) {
      if node.level < newest.count { newest[node.level] = hash } else { newest.append(hash) }
    }
    events += 1
    return try compareThrough(events, snapshot) + compareGiven(through: events)
  }

  /// Compares the heads that are left, after the last event.
  mutating func end(_ snapshot: Snapshot) throws(DatabaseError) -> [String] {
    var problems = try compareThrough(Int64.max, snapshot) + compareGiven(through: Int64.max)
    let size: Int64 = try snapshot.first(TreeStatements.size)?.get("size") ?? 0
    if compared != size { problems.append("its newest signed head has \(compared) events, its tree \(size)") }
    return problems
  }

  private mutating func compareThrough(_ end: Int64, _ snapshot: Snapshot) throws(DatabaseError) -> [String] {
    var problems: [String] = []
    while true {
      if next == nil, !isReadToEnd {
        let row = try snapshot.all(TreeStatements.headsAfter, lastRead, 1).first
        next = try row.map { row throws(DatabaseError) in
          (try row.get("size"), (try? row.get("checkpoint", as: String.self)) ?? "")
        }
        isReadToEnd = next == nil
        lastRead = next?.size ?? lastRead
      }
      guard let head = next, head.size <= end else { return problems }
      (compared, next) = (head.size, nil)
      do throws(LogProblem) {
        let read = try read(head.note, of: head.size, snapshot)
        // It may have been signed since the events after it were read.
        let root = head.size < events ? try snapshot.storedRoot(of: head.size) : nil
        try compare(read, "signed head", root: root)
        fitting += 1
      } catch {
        problems.append(error.text)
      }
    }
  }

  private mutating func compareGiven(through end: Int64) -> [String] {
    while let head = given.first, head.checkpoint.size <= end {
      given.removeFirst()
      do throws(LogProblem) {
        try compare(head, "given head", after: lastGiven)
        (lastGiven, fitting, givenThatFit) = (head.checkpoint.size, fitting + 1, givenThatFit + 1)
      } catch {
        given = []
        return [error.text]
      }
    }
    return []
  }

  /// The head in a row of `storage_signed_heads`, which has to be one of this log with as many events as the row says.
  private func read(_ note: String, of size: Int64, _ snapshot: Snapshot) throws(LogProblem) -> SignedCheckpoint {
    let head: SignedCheckpoint
    do throws(EvidenceProblem) {
      head = try SignedCheckpoint(note: note)
    } catch {
      throw LogProblem(text: "the signed head of \(size) events is none: \(error.detail)")
    }
    let checkpoint = head.checkpoint
    guard checkpoint.size == size, checkpoint.origin.hasSuffix("/\(snapshot.context.schema.name)/\(tenant)") else {
      throw LogProblem(
        text: "the signed head of \(size) events is that of \(checkpoint.size) of '\(checkpoint.origin)'")
    }
    return head
  }

  /// Throws unless a head is that of the events so far.
  ///
  /// - Parameters:
  ///   - last: how many events the head before this one has, which did match.
  ///   - root: the root of the head's events, if it has fewer than were read.
  private func compare(
    _ head: SignedCheckpoint, _ name: String, after last: Int64? = nil, root: Digest? = nil
  ) throws(LogProblem) {
    let checkpoint = head.checkpoint
    guard checkpoint.size <= events else {
      throw LogProblem(
        text: "the \(name) has \(checkpoint.size) events, the log \(events): what followed is missing")
    }
    guard trusted.isEmpty || head.isSigned(byOneOf: trusted) else {
      throw LogProblem(text: "the \(name) of \(checkpoint.size) events is signed by no trusted key")
    }
    let found = checkpoint.size == events ? MerkleTree.root(of: events) { newest[$0.level] } : root
    guard found == checkpoint.root else {
      let range = last.map { ": something among events \($0 + 1) to \(checkpoint.size) was changed" } ?? ""
      throw LogProblem(text: "the first \(checkpoint.size) events are not those of the \(name)\(range)")
    }
  }
}

extension Snapshot {
  /// The root of the first events, by the stored nodes of the tree, which are compared with the events themselves.
  fileprivate func storedRoot(of size: Int64) throws(LogProblem) -> Digest {
    do throws(DatabaseError) {
      return try MerkleTree.root(of: max(size, 0)) { node throws(DatabaseError) in try treeNode(node) }
    } catch {
      throw LogProblem(text: "the nodes of the first \(size) events are not all there")
    }
  }
}
