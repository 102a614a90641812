internal import Base

/// The SQL of the logs' trees and signed heads.
enum TreeStatements {
  static let begin = Statement(
    own: "storage.trees.begin",
    "INSERT INTO storage_trees (tenant, size) VALUES ({tenant}, 0) ON CONFLICT (tenant) DO NOTHING")
  /// A signer locks this row until its commit, so that two do not grow one tree. Writers of events do not wait for it.
  static let lock = Statement(
    own: "storage.trees.lock", "SELECT size FROM storage_trees WHERE tenant = {tenant} FOR UPDATE")
  static let grow = Statement(own: "storage.trees.grow", "UPDATE storage_trees SET size = ? WHERE tenant = {tenant}")
  static let size = Statement(own: "storage.trees.size", "SELECT size FROM storage_trees WHERE tenant = {tenant}")
  static let sizes = Statement(
    acrossTenants: "storage.trees.sizes", "SELECT tenant, size FROM storage_trees ORDER BY tenant")
  static let node = Statement(
    own: "storage.trees.node",
    "SELECT hash FROM storage_tree_nodes WHERE tenant = {tenant} AND level = ? AND position = ?")
  /// The nodes of a level from one position to another.
  static let range = Statement(
    own: "storage.trees.range",
    "SELECT position, hash FROM storage_tree_nodes "
      + "WHERE tenant = {tenant} AND level = ? AND position >= ? AND position <= ? ORDER BY position")
  static let nextNodes = Statement(
    own: "storage.trees.next-nodes",
    "SELECT position, hash FROM storage_tree_nodes "
      + "WHERE tenant = {tenant} AND level = ? AND position > ? ORDER BY position LIMIT ?")
  static let addNode = Statement(
    own: "storage.trees.add-node",
    "INSERT INTO storage_tree_nodes (tenant, level, position, hash) VALUES ({tenant}, ?, ?, ?)")
  static let addHead = Statement(
    own: "storage.trees.add-head",
    "INSERT INTO storage_signed_heads (tenant, size, checkpoint, signed_ms) VALUES ({tenant}, ?, ?, ?)")
  static let newestHead = Statement(
    own: "storage.trees.newest-head",
    "SELECT size, checkpoint FROM storage_signed_heads WHERE tenant = {tenant} ORDER BY size DESC LIMIT 1")
  static let anyHead = Statement(
    acrossTenants: "storage.trees.any-head", "SELECT size FROM storage_signed_heads LIMIT 1")
  static let headsAfter = Statement(
    own: "storage.trees.heads-after",
    "SELECT size, checkpoint FROM storage_signed_heads WHERE tenant = {tenant} AND size > ? ORDER BY size LIMIT ?")
  /// Finds the logs with events that no signed head covers, or a tree that covers more events than there are.
  static let behind = Statement(
    acrossTenants: "storage.trees.behind",
    "SELECT h.tenant FROM storage_event_heads h LEFT JOIN storage_trees t ON t.tenant = h.tenant "
      + "WHERE t.size IS NULL OR t.size <> h.last ORDER BY h.tenant")
  static let events = Statement(
    own: "storage.trees.event",
    "SELECT \(EventStatements.columns) FROM storage_events WHERE tenant = {tenant} AND sequence = ?")
}

extension Database {
  /// Whether heads of any tenant's log were ever signed.
  public var hasSignedHeads: Bool {
    get async throws {
      try await readAcrossTenants { connection in try !connection.all(TreeStatements.anyHead.query, []).isEmpty }
    }
  }
}

extension Snapshot {
  /// The hash of a full subtree of the tenant's tree.
  func treeNode(_ node: MerkleNode) throws(DatabaseError) -> Digest {
    guard let row = try first(TreeStatements.node, node.level, node.position) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': node \(node.position) of level \(node.level) is missing")
    }
    return try row.get("hash")
  }

  func event(_ sequence: Int64) throws(DatabaseError) -> Event? {
    guard let row = try first(TreeStatements.events, sequence) else { return nil }
    return try event(in: row)
  }

  /// The newest signed head; nil before the first.
  public func signedHead() throws(DatabaseError) -> SignedCheckpoint? {
    guard let row = try first(TreeStatements.newestHead) else { return nil }
    return try signedHead(row)
  }

  /// Signed heads of more than `size` events, the oldest first.
  public func signedHeads(after size: Int64, limit: Int = 100) throws(DatabaseError) -> [SignedCheckpoint] {
    var heads: [SignedCheckpoint] = []
    for row in try all(TreeStatements.headsAfter, size, limit) { heads.append(try signedHead(row)) }
    return heads
  }

  func signedHead(_ row: Row) throws(DatabaseError) -> SignedCheckpoint {
    let size: Int64 = try row.get("size")
    do throws(EvidenceProblem) {
      let head = try SignedCheckpoint(note: try row.getNote(), at: "head")
      if head.checkpoint.size == size { return head }
    } catch {}
    throw DatabaseError(.corrupt, "tenant '\(tenant)': the signed head of \(size) events is none")
  }
}

extension Row {
  fileprivate func getNote() throws(EvidenceProblem) -> String {
    guard let note = try? get("checkpoint", as: String.self) else { throw EvidenceProblem(.checkpoint, at: "head", "") }
    return note
  }
}
