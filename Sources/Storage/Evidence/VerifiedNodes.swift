internal import Base
internal import Synchronization

/// A cache of the nodes of the logs' trees that this process has verified. Full subtrees never change, so a
/// verification can stop at a node that was verified before.
final class VerifiedNodes: Sendable {
  private struct Place: Hashable {
    let tenant: String
    let node: MerkleNode
  }

  private struct Known {
    var hashes = BoundedCache<Place, Digest>(mostBytes: 8 << 20)
    /// The size of the largest signed head of each tenant's log that was seen, and when it was seen.
    var heads: [String: (size: Int64, at: Instant)] = [:]
  }

  private let known = Mutex(Known())
  /// Roughly how many bytes of memory an entry takes.
  private static let entryBytes = 160

  func hash(of node: MerkleNode, _ tenant: Tenant) -> Digest? {
    known.withLock { $0.hashes.value(for: Place(tenant: tenant.id, node: node)) }
  }

  func add(_ nodes: [(MerkleNode, Digest)], _ tenant: Tenant) {
    known.withLock { known in
      for (node, hash) in nodes {
        known.hashes.insert(hash, for: Place(tenant: tenant.id, node: node), byteCount: Self.entryBytes)
      }
    }
  }

  /// Notes the size of a log's newest signed head. Returns false if a larger head was seen before the transaction
  /// began: then heads were removed.
  ///
  /// A write transaction may see a head that is not durable yet, so its head is only compared and not noted.
  func noteHead(of size: Int64, by snapshot: Snapshot) -> Bool {
    let (tenant, now) = (snapshot.tenant.id, snapshot.context.clock.now)
    return known.withLock { known in
      if let known = known.heads[tenant], size <= known.size { return size == known.size || snapshot.now <= known.at }
      if !(snapshot is Transaction) { known.heads[tenant] = (size, now) }
      return true
    }
  }
}
