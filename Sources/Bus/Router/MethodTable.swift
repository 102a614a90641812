internal import RPC

/// The methods that workers have announced, by their paths.
struct MethodTable {
  private(set) var all: [RouterMethod] = []
  private var places = PathTable<Int>()
  private var free: [Int] = []
  /// How many methods each service has, by its number.
  private var counts: [Int: Int] = [:]

  subscript(place: Int) -> RouterMethod { all[place] }

  mutating func place(of path: String) -> Int? { places.value(of: path) }

  func count(ofService service: Int) -> Int { counts[service] ?? 0 }

  /// Adds a method that a worker has announced, or replaces what an earlier one has said of it.
  mutating func set(_ method: RouterMethod) {
    let path = method.descriptor.path
    if let place = place(of: path) {
      all[place] = method
      return
    }
    // A path begins with the name of its service, so it never moves to another one.
    counts[method.service, default: 0] += 1
    if let place = free.popLast() {
      places.set(path, place)
      all[place] = method
    } else {
      places.set(path, all.count)
      all.append(method)
    }
  }

  /// Removes a service's methods. Their places will be used for others.
  mutating func remove(ofService service: Int) {
    counts[service] = nil
    for place in all.indices where all[place].service == service {
      places.remove(all[place].descriptor.path)
      all[place] = RouterMethod(descriptor: all[place].descriptor, service: RouterMethod.nowhere)
      free.append(place)
    }
  }
}
