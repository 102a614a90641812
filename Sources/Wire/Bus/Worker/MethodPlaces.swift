/// Where each of some methods stands in their list.
///
/// Every call asks, so finding one costs no dictionary's hashing: its length and its last letters tell a path from nearly all
/// others.
struct MethodPlaces: Sendable {
  // Two lists with open addressing, of which at least three quarters are free.
  private var paths: [String]
  private var places: [Int]

  /// Of two methods with one path, the first counts.
  init(_ methods: [MethodDescriptor]) {
    var capacity = 4
    while capacity < 4 * methods.count { capacity *= 2 }
    paths = Array(repeating: "", count: capacity)
    places = Array(repeating: Self.none, count: capacity)
    for (place, method) in methods.enumerated() {
      let slot = slot(of: method.path)
      guard places[slot] == Self.none else { continue }
      paths[slot] = method.path
      places[slot] = place
    }
  }

  func place(of path: String) -> Int? {
    let place = places[slot(of: path)]
    return place == Self.none ? nil : place
  }

  /// The slot of `path`, or the free one where it would stand.
  private func slot(of path: String) -> Int {
    var slot = Self.hash(path) & (places.count - 1)
    while places[slot] != Self.none, paths[slot] != path { slot = (slot + 1) & (places.count - 1) }
    return slot
  }

  private static let none = -1

  private static func hash(_ path: String) -> Int {
    let letters = path.utf8.span
    var end: UInt64 = 0
    for place in max(0, letters.count - 8)..<letters.count { end = end << 8 | UInt64(letters[place]) }
    return Int(truncatingIfNeeded: ((end ^ UInt64(letters.count)) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }
}
