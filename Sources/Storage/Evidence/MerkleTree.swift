package import Base

/// A full subtree of 2^level leaves: the `position`-th of this size from the left, from 0 on.
package struct MerkleNode: Hashable, Sendable {
  package let level: Int
  package let position: Int64

  package init(level: Int, position: Int64) {
    self.level = level
    self.position = position
  }
}

/// The hash tree of RFC 6962, section 2.1: hashes, roots and proofs, from the hashes of full subtrees.
///
/// Full subtrees never change when leaves are added, so their hashes can be stored. A proof then needs a number of them
/// that grows with the logarithm of the tree's size.
package enum MerkleTree {
  package static let empty = Digest(of: [])

  /// The hash of a leaf. The inputs for leaves and for nodes begin with different bytes, so that neither can pass for
  /// the other.
  package static func leaf(_ bytes: [UInt8]) -> Digest { Digest(of: [0] + bytes) }

  package static func parent(_ left: Digest, _ right: Digest) -> Digest { Digest(of: [1] + left.bytes + right.bytes) }

  /// The root of the first `size` leaves.
  package static func root<Failure>(
    of size: Int64, _ node: (MerkleNode) throws(Failure) -> Digest
  ) throws(Failure) -> Digest {
    size == 0 ? empty : try hash(from: 0, to: size, node)
  }

  /// The siblings on the way from leaf `index` to the root of `size` leaves, the lowest first.
  package static func inclusion<Failure>(
    of index: Int64, in size: Int64, _ node: (MerkleNode) throws(Failure) -> Digest
  ) throws(Failure) -> [Digest] {
    var (from, to) = (Int64(0), size)
    var path: [Digest] = []
    while to - from > 1 {
      let middle = from + split(to - from)
      if index < middle {
        path.append(try hash(from: middle, to: to, node))
        to = middle
      } else {
        path.append(try hash(from: from, to: middle, node))
        from = middle
      }
    }
    return path.reversed()
  }

  /// The proof that the tree of `new` leaves begins with the tree of `old` leaves.
  package static func consistency<Failure>(
    from old: Int64, to new: Int64, _ node: (MerkleNode) throws(Failure) -> Digest
  ) throws(Failure) -> [Digest] {
    guard old > 0, old < new else { return [] }
    var (from, to) = (Int64(0), new)
    var isOldRoot = true
    var path: [Digest] = []
    while old != to {
      let middle = from + split(to - from)
      if old <= middle {
        path.append(try hash(from: middle, to: to, node))
        to = middle
      } else {
        path.append(try hash(from: from, to: middle, node))
        from = middle
        isOldRoot = false
      }
    }
    if !isOldRoot { path.append(try hash(from: from, to: to, node)) }
    return path.reversed()
  }

  /// The full subtrees that leaf `index` completes, the leaf itself first.
  package static func added<Failure>(
    _ leaf: Digest, at index: Int64, _ node: (MerkleNode) throws(Failure) -> Digest
  ) throws(Failure) -> [(node: MerkleNode, hash: Digest)] {
    var (level, position, hash) = (0, index, leaf)
    var added = [(node: MerkleNode(level: 0, position: index), hash: leaf)]
    while position & 1 == 1 {
      hash = parent(try node(MerkleNode(level: level, position: position - 1)), hash)
      (level, position) = (level + 1, position >> 1)
      added.append((MerkleNode(level: level, position: position), hash))
    }
    return added
  }

  /// The largest power of two below `count`, which is two at least.
  private static func split(_ count: Int64) -> Int64 { 1 << Int64(63 - (count - 1).leadingZeroBitCount) }

  /// The hash of the leaves from `from` up to but without `to`. `from` must be a multiple of a power of two that is at
  /// least their number.
  private static func hash<Failure>(
    from: Int64, to: Int64, _ node: (MerkleNode) throws(Failure) -> Digest
  ) throws(Failure) -> Digest {
    var full: [MerkleNode] = []
    var start = from
    while start < to {
      let level = 63 - (to - start).leadingZeroBitCount
      full.append(MerkleNode(level: level, position: start >> Int64(level)))
      start += 1 << Int64(level)
    }
    guard let last = full.popLast() else { return empty }
    var hash = try node(last)
    for left in full.reversed() { hash = parent(try node(left), hash) }
    return hash
  }
}
