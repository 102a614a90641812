internal import Base
internal import Synchronization

/// What a process has verified of its logs' trees. Full subtrees never change, so what was verified once stays so, and
/// later checks end where they meet it.
final class VerifiedNodes: Sendable {
  private struct Place: Hashable {
    let tenant: String
    let node: MerkleNode
  }

  private struct Known {
    var hashes = BoundedCache<Place, Digest>(mostBytes: 8 << 20)
    /// The largest signed head that was seen of each tenant's log, and when.
    var heads: [String: (size: Int64, at: Instant)] = [:]
  }

  private let known = Mutex(Known())
  /// About what an entry takes in memory.
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

  /// Notes how far a log was signed; false when a transaction that began after a larger head was seen finds a smaller
  /// one.
  ///
  /// A change may see a head that is not durable yet, and others do not: it only compares.
  func noteHead(of size: Int64, by snapshot: Snapshot) -> Bool {
    let (tenant, now) = (snapshot.tenant.id, snapshot.context.clock.now)
    return known.withLock { known in
      if let known = known.heads[tenant], size <= known.size { return size == known.size || snapshot.now <= known.at }
      if !(snapshot is Transaction) { known.heads[tenant] = (size, now) }
      return true
    }
  }
}
