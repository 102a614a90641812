public import Base
internal import Synchronization

/// Adds new events to the logs' trees, and signs their heads.
///
/// It signs a head only if the log continues the newest head in the database and, if there is a file of heads, the
/// newest one there, and if the service's code of every new event is valid.
public struct EvidenceSigner: Sendable {
  let database: Database
  let key: EvidenceKey
  private let installation: String
  private let file: HeadFile?
  private let announce: @Sendable (SignedCheckpoint) -> Void

  /// How many events are added for one head at most, so that a transaction stays short.
  private static let step = 2000

  /// - Parameters:
  ///   - installation: the first part of the logs' names, such as `consent.example.org`; no spaces, no `+`.
  ///   - file: where heads are kept outside the database.
  ///   - announce: called with each new head once it is durable.
  public init(
    _ database: Database, key: EvidenceKey, installation: String, file: HeadFile? = nil,
    announce: @escaping @Sendable (SignedCheckpoint) -> Void = { _ in }
  ) {
    self.database = database
    self.key = key
    self.installation = installation
    self.file = file
    self.announce = announce
  }

  public var verifyingKey: VerifyingKey { key.verifyingKey }

  /// The name of a tenant's log.
  public func origin(of tenant: Tenant) -> String { "\(prefix)\(tenant)" }

  private var prefix: String { "\(installation)/\(database.context.schema.name)/" }

  /// Compares the logs with the file of heads; to be called before calls are answered. If a log is shorter than a head
  /// in the file or differs from it, its tenant's verified data are neither read nor changed while this process runs.
  public func compareWithHeads() async throws {
    guard let file else { return }
    var losses: [String: String] = [:]
    for head in file.heads(under: prefix) {
      guard let tenant = Tenant(String(head.origin.dropFirst(prefix.count))) else { continue }
      losses[tenant.id] = try await database.scope(tenant).read { try $0.contradiction(to: head) }
    }
    database.context.seenEvents.setOutsideLosses(losses)
  }

  /// Signs the heads of all logs that have new events, and adds to the file of heads those that could not be written
  /// there when they were signed. After a failure for one log, such as one that was tampered with, it goes on with the
  /// others and throws the first failure at the end.
  public func signAll() async throws {
    let names = try await database.readAcrossTenants { connection in
      let behind = try connection.all(TreeStatements.behind.query, []).map { try $0.get("tenant", as: String.self) }
      return try behind + notHandedOut(connection).subtracting(behind).sorted()
    }
    var failure: (any Error)?
    for tenant in names.compactMap({ Tenant($0) }) {
      do { try await sign(tenant) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The tenants whose newest head is not in the file of heads.
  private func notHandedOut(_ connection: any Connection) throws(DatabaseError) -> Set<String> {
    guard let file else { return [] }
    var tenants: Set<String> = []
    for row in try connection.all(TreeStatements.sizes.query, []) {
      let (tenant, size): (String, Int64) = (try row.get("tenant"), try row.get("size"))
      if file.head(of: "\(prefix)\(tenant)")?.checkpoint.size ?? 0 < size { tenants.insert(tenant) }
    }
    return tenants
  }

  /// Signs the head of a tenant's log over all events so far, unless it is signed already. Returns it; nil if there are
  /// no events, or `end` has passed.
  ///
  /// - Parameters:
  ///   - time: how long the transaction of each step may take.
  ///   - end: when to stop and leave the rest to a later call.
  @discardableResult
  public func sign(
    _ tenant: Tenant, within time: Duration = .seconds(60), until end: MonotonicTime? = nil
  ) async throws -> SignedCheckpoint? {
    let scope = database.scope(tenant)
    var head: SignedCheckpoint?
    while true {
      if let end, database.context.clock.monotonic >= end { return nil }
      let (newest, isLast) = try await scope.write(within: time) { try grow($0) }
      head = newest
      if isLast { break }
    }
    try await handOut(head, of: tenant)
    return head
  }

  /// One step: hashes up to `step` new events into the tree, and signs the new head.
  private func grow(_ transaction: Transaction) throws -> (head: SignedCheckpoint?, isLast: Bool) {
    let tenant = transaction.tenant
    try transaction.run(TreeStatements.begin)
    let size: Int64 = try transaction.one(TreeStatements.lock).get("size")
    let previous = try transaction.signedHead()
    try verify(previous, size, transaction)
    let events = try transaction.events(after: size, limit: Self.step)
    guard let last = events.last else {
      guard try transaction.lastEvent() == size else { throw rewritten(tenant, "it has fewer events than were signed") }
      return (previous, true)
    }
    let nodes = try hash(events, after: size, transaction)
    for (node, hash) in nodes.added {
      try transaction.connection.runLater(
        TreeStatements.addNode.query, transaction.arguments(node.level, node.position, hash))
    }
    try transaction.run(TreeStatements.grow, last.sequence)
    let root = try MerkleTree.root(of: last.sequence) { node throws(DatabaseError) in
      if let known = nodes.known[node] { return known }
      return try transaction.treeNode(node)
    }
    let head = Checkpoint(origin: origin(of: tenant), size: last.sequence, root: root).signed(by: key.key)
    try transaction.run(TreeStatements.addHead, last.sequence, head.note, transaction.now)
    return (head, events.count < Self.step)
  }

  /// Throws unless the tree continues the newest head in the database and the one in the file of heads.
  private func verify(_ previous: SignedCheckpoint?, _ size: Int64, _ snapshot: Snapshot) throws {
    let tenant = snapshot.tenant
    guard previous?.checkpoint.size ?? 0 == size else { throw rewritten(tenant, "its tree has no signed head") }
    if let previous {
      guard previous.checkpoint.origin == origin(of: tenant), previous.isSigned(byOneOf: [verifyingKey]) else {
        throw rewritten(tenant, "its newest head was not signed by this key in its name")
      }
    }
    for head in [previous, file?.head(of: origin(of: tenant))] {
      guard let head = head?.checkpoint else { continue }
      guard head.size <= size else {
        throw rewritten(tenant, "it ends at event \(size), and a head of \(head.size) was handed out")
      }
      let root = try MerkleTree.root(of: head.size) { node throws(DatabaseError) in try snapshot.treeNode(node) }
      guard root == head.root else {
        throw rewritten(tenant, "its first \(head.size) events are not those that were signed")
      }
    }
  }

  private struct Hashes {
    var added: [(node: MerkleNode, hash: Digest)] = []
    var known: [MerkleNode: Digest] = [:]
  }

  private func hash(_ events: [Event], after size: Int64, _ transaction: Transaction) throws -> Hashes {
    let tenant = transaction.tenant
    var chain = Event.beginning
    if size > 0 {
      let last = try transaction.event(size)
      guard let last, last.leaf(of: tenant) == (try transaction.treeNode(MerkleNode(level: 0, position: size - 1)))
      else {
        throw rewritten(tenant, "event \(size) is not the one that was signed")
      }
      chain = last.chain
    }
    var hashes = Hashes()
    for (offset, event) in events.enumerated() {
      guard event.sequence == size + 1 + Int64(offset), event.chain == event.chain(after: chain, of: tenant) else {
        throw rewritten(tenant, "event \(size + 1 + Int64(offset)) does not follow its predecessor")
      }
      chain = event.chain
      let added = try MerkleTree.added(event.leaf(of: tenant), at: event.sequence - 1) { node throws(DatabaseError) in
        if let known = hashes.known[node] { return known }
        return try transaction.treeNode(node)
      }
      for (node, hash) in added { hashes.known[node] = hash }
      hashes.added += added
    }
    return hashes
  }

  /// Announces every head that the file does not have yet, after adding it there, also those that another process
  /// signed. Without a file, announces this head.
  private func handOut(_ head: SignedCheckpoint?, of tenant: Tenant) async throws {
    guard let head else { return }
    guard let file else { return announce(head) }
    while true {
      let known = file.head(of: origin(of: tenant))?.checkpoint.size ?? 0
      let heads = try await database.scope(tenant).read { try $0.signedHeads(after: known) }
      if heads.isEmpty { return }
      try file.append(heads)
      for head in heads { announce(head) }
    }
  }

  /// Makes each change that declares `signsHead`, such as a withdrawal or an erasure, wait for an attempt to sign and
  /// hand out a head that covers it.
  public func signPromptly() { database.promptSigner.withLock { $0 = self } }

  private func rewritten(_ tenant: Tenant, _ detail: String) -> DatabaseError {
    DatabaseError(.corrupt, "the log of tenant '\(tenant)' is not signed: \(detail)")
  }
}

extension Snapshot {
  /// Why the tenant's tree does not continue a head that was handed out; nil if it does.
  fileprivate func contradiction(to head: Checkpoint) throws(DatabaseError) -> String? {
    let size: Int64 = try first(TreeStatements.size)?.get("size") ?? 0
    guard head.size <= size else { return "its tree ends at event \(size), and a head of \(head.size) was handed out" }
    do throws(DatabaseError) {
      let root = try MerkleTree.root(of: head.size) { node throws(DatabaseError) in try treeNode(node) }
      return root == head.root ? nil : "its first \(head.size) events are not those that were signed"
    } catch {
      guard error.code == .corrupt else { throw error }
      return error.message
    }
  }
}

extension Database {
  /// Signs a log after a change that declares `signsHead`. If that fails or takes too long, it is left to the periodic
  /// task, which reports the reason.
  func signPromptly(_ tenant: Tenant) async {
    guard let signer = promptSigner.withLock({ $0 }) else { return }
    let longest = Duration.seconds(1)
    _ = try? await signer.sign(tenant, within: longest, until: context.clock.monotonic + longest)
  }
}

extension PeriodicTask {
  /// Signs the heads of all logs with new events.
  public static func signing(_ signer: EvidenceSigner, every interval: Duration) -> PeriodicTask {
    PeriodicTask("storage.evidence", every: interval) { try await signer.signAll() }
  }
}
