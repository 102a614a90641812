package import Base

/// Verifies proofs without the tree, by RFC 9162, sections 2.1.3.2 and 2.1.4.2.
extension MerkleTree {
  /// The root computed from a leaf and the siblings in a proof; nil if there are too few or too many siblings.
  package static func root(of leaf: Digest, at index: Int64, in size: Int64, by proof: [Digest]) -> Digest? {
    guard index >= 0, index < size else { return nil }
    var (place, last, hash) = (index, size - 1, leaf)
    for sibling in proof {
      guard last > 0 else { return nil }
      if place & 1 == 1 || place == last {
        hash = parent(sibling, hash)
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        hash = parent(hash, sibling)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    return last == 0 ? hash : nil
  }

  /// Whether `proof` shows that the tree of `new` leaves under `newRoot` begins with the `old` leaves under `oldRoot`.
  package static func isConsistent(
    _ old: Int64, _ oldRoot: Digest, _ new: Int64, _ newRoot: Digest, by proof: [Digest]
  ) -> Bool {
    guard old >= 0, old <= new else { return false }
    if old == new { return proof.isEmpty && oldRoot == newRoot }
    if old == 0 { return proof.isEmpty && oldRoot == empty }
    // A full old tree is a subtree of the new one, and its root is left out of the proof.
    var steps = (old & (old - 1) == 0 ? [oldRoot] : []) + proof
    guard !steps.isEmpty else { return false }
    var (place, last) = (old - 1, new - 1)
    while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
    let first = steps.removeFirst()
    var (before, after) = (first, first)
    for step in steps {
      guard last > 0 else { return false }
      if place & 1 == 1 || place == last {
        (before, after) = (parent(step, before), parent(step, after))
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        after = parent(after, step)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    return last == 0 && before == oldRoot && after == newRoot
  }
}
