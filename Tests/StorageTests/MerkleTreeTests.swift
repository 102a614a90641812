import Base
import Storage
import Testing

@Suite struct MerkleTreeTests {
  /// The inputs and roots that implementations of RFC 6962 are tested with.
  private static let inputs = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
  ]
  private static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  /// A tree in memory, grown leaf by leaf.
  private struct Tree {
    var leaves: [Digest] = []
    private var nodes: [MerkleNode: Digest] = [:]

    init(_ inputs: [[UInt8]]) {
      for input in inputs { append(input) }
    }

    mutating func append(_ input: [UInt8]) {
      let leaf = MerkleTree.leaf(input)
      let added = MerkleTree.added(leaf, at: Int64(leaves.count)) { node in self.node(node) }
      for (node, hash) in added { nodes[node] = hash }
      leaves.append(leaf)
    }

    func node(_ node: MerkleNode) -> Digest {
      guard let hash = nodes[node] else { preconditionFailure("\(node) is not full") }
      return hash
    }

    func root(_ size: Int64) -> Digest { MerkleTree.root(of: size) { node($0) } }
    func inclusion(_ index: Int64, _ size: Int64) -> [Digest] { MerkleTree.inclusion(of: index, in: size) { node($0) } }
    func consistency(_ old: Int64, _ new: Int64) -> [Digest] {
      MerkleTree.consistency(from: old, to: new) { node($0) }
    }
  }

  /// The definition of the root in RFC 6962, word for word.
  private func definition(_ leaves: ArraySlice<Digest>) -> Digest {
    guard leaves.count > 1 else { return leaves.first ?? MerkleTree.empty }
    var split = 1
    while split * 2 < leaves.count { split *= 2 }
    return MerkleTree.parent(definition(leaves.prefix(split)), definition(leaves.dropFirst(split)))
  }

  @Test("roots are those of the published vectors")
  func vectors() throws {
    let tree = Tree(try Self.inputs.map { try #require(Hex.decode($0)) })
    for (size, root) in Self.roots.enumerated() { #expect(tree.root(Int64(size)).hex == root) }
  }

  @Test("proofs are those of the published vectors")
  func publishedProofs() throws {
    let tree = Tree(try Self.inputs.map { try #require(Hex.decode($0)) })
    // RFC 6962, section 2.1.3, names them by leaves a, b, … of a tree of seven.
    let node = { (level: Int, position: Int64) in tree.node(MerkleNode(level: level, position: position)) }
    let lastThree = MerkleTree.parent(node(1, 2), node(0, 6))
    #expect(tree.inclusion(0, 7) == [node(0, 1), node(1, 1), lastThree])
    #expect(tree.inclusion(3, 7) == [node(0, 2), node(1, 0), lastThree])
    #expect(tree.inclusion(4, 7) == [node(0, 5), node(0, 6), node(2, 0)])
    #expect(tree.inclusion(6, 7) == [node(1, 2), node(2, 0)])
    #expect(tree.consistency(3, 7) == [node(0, 2), node(0, 3), node(1, 0), lastThree])
    #expect(tree.consistency(4, 7) == [lastThree])
    #expect(tree.consistency(6, 7) == [node(1, 2), node(0, 6), node(2, 0)])
  }

  @Test("every leaf of every tree up to 130 is proven, and nothing else is")
  func inclusion() {
    let tree = Tree((0..<130).map { [UInt8($0)] })
    let other = Digest(of: [1])
    for size in 1...Int64(130) {
      let root = tree.root(size)
      #expect(root == definition(tree.leaves.prefix(Int(size))))
      for index in 0..<size {
        let proof = tree.inclusion(index, size)
        let leaf = tree.leaves[Int(index)]
        #expect(MerkleTree.root(of: leaf, at: index, in: size, by: proof) == root)
        #expect(MerkleTree.root(of: other, at: index, in: size, by: proof) != root)
        #expect(MerkleTree.root(of: leaf, at: (index + 1) % size, in: size, by: proof) != root || size == 1)
        #expect(MerkleTree.root(of: leaf, at: index, in: size, by: proof + [other]) != root)
        #expect(proof.isEmpty || MerkleTree.root(of: leaf, at: index, in: size, by: Array(proof.dropLast())) != root)
      }
      #expect(MerkleTree.root(of: other, at: size, in: size, by: []) == nil)
      #expect(MerkleTree.root(of: other, at: -1, in: size, by: []) == nil)
    }
  }

  @Test("every two trees up to 130 are consistent, and no other ones are")
  func consistency() {
    let tree = Tree((0..<130).map { [UInt8($0)] })
    let roots = (0...Int64(130)).map { tree.root($0) }
    let other = Digest(of: [1])
    for new in 0...130 {
      for old in 0...new {
        let proof = tree.consistency(Int64(old), Int64(new))
        let (oldSize, newSize) = (Int64(old), Int64(new))
        #expect(MerkleTree.isConsistent(oldSize, roots[old], newSize, roots[new], by: proof))
        #expect(!MerkleTree.isConsistent(oldSize, other, newSize, roots[new], by: proof))
        #expect(old == 0 || !MerkleTree.isConsistent(oldSize, roots[old], newSize, other, by: proof))
        #expect(!MerkleTree.isConsistent(oldSize, roots[old], newSize, roots[new], by: proof + [other]))
        let shorter = Array(proof.dropLast())
        #expect(
          proof.isEmpty || !MerkleTree.isConsistent(oldSize, roots[old], newSize, roots[new], by: shorter))
        #expect(old == new || !MerkleTree.isConsistent(newSize, roots[new], oldSize, roots[old], by: proof))
      }
    }
  }
}
