extension Array {
  /// Calls `use` with each element, in order, without the copy that a loop makes.
  @inline(__always)
  func lendEach(_ use: (borrowing Element) -> Void) {
    let elements = span
    for index in elements.indices { use(elements[index]) }
  }
}
