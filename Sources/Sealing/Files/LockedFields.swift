/// The fields that a lock covers, by their full names or those of fields around them. The names form a tree, since a
/// lock may have very many, and comparing each field with all of them would be slow.
struct LockedFields {
  private struct Step: Hashable {
    let from: Int
    let part: [UInt8]
  }

  /// The tree of the names' parts.
  private var steps: [Step: Int] = [:]
  private var ends: Set<Int> = []
  private let coversNamed: Bool

  init(_ lock: FieldLock) {
    let names: [String]
    switch lock {
    case .all: (names, coversNamed) = ([], false)
    case .only(let list): (names, coversNamed) = (list, true)
    case .allBut(let list): (names, coversNamed) = (list, false)
    }
    for name in names {
      var place = 0
      for part in Self.parts(of: name) {
        let step = Step(from: place, part: part)
        place = steps[step] ?? steps.count + 1
        steps[step] = place
      }
      ends.insert(place)
    }
  }

  func contains(_ name: String) -> Bool { isNamed(name) == coversNamed }

  private func isNamed(_ name: String) -> Bool {
    var place = 0
    for part in Self.parts(of: name) {
      guard let next = steps[Step(from: place, part: part)] else { return false }
      if ends.contains(next) { return true }
      place = next
    }
    return false
  }

  /// Compared as UTF-8: Swift's strings are equal if they look the same, but then they may still name two fields.
  private static func parts(of name: String) -> [[UInt8]] {
    name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
  }
}
