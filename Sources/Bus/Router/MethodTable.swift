/// The methods that workers have announced, by their paths.
struct MethodTable {
  private(set) var all: [RouterMethod] = []
  private var places = PathTable<Int>()

  subscript(place: Int) -> RouterMethod { all[place] }

  mutating func place(of path: String) -> Int? { places.value(of: path) }

  mutating func set(_ method: RouterMethod) {
    let path = method.descriptor.path
    if let place = place(of: path) {
      all[place] = method
    } else {
      places.set(path, all.count)
      all.append(method)
    }
  }
}
