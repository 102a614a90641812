/// The methods that workers have announced, by their paths.
struct MethodTable {
  private(set) var all: [RouterMethod] = []
  private var placeOf: [String: Int] = [:]
  /// What was looked up lately, by the lengths of the paths: of the few methods that most calls are for, comparing the
  /// path is cheaper than hashing it.
  private var recent = [Recent](repeating: Recent(path: "", place: 0), count: 64)

  private struct Recent {
    var path: String
    var place: Int
  }

  subscript(place: Int) -> RouterMethod { all[place] }

  mutating func place(of path: String) -> Int? {
    let slot = path.utf8.count & (recent.count - 1)
    if recent[slot].path == path, !path.isEmpty { return recent[slot].place }
    guard let place = placeOf[path] else { return nil }
    recent[slot] = Recent(path: path, place: place)
    return place
  }

  mutating func set(_ method: RouterMethod) {
    let path = method.descriptor.path
    if let place = placeOf[path] {
      all[place] = method
    } else {
      placeOf[path] = all.count
      all.append(method)
    }
  }
}
