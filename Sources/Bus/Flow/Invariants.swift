/// Checks of a machine's tables after each of its steps, in debug builds.
enum Invariants {
  /// Stops at contradictions. A check goes through all calls, so a machine with many of them is checked only where a
  /// test asks for it.
  @inline(__always)
  static func check(size: Int, _ faults: @autoclosure () -> [String]) {
    assert(
      {
        let found = size > mostChecked ? [] : faults()
        if !found.isEmpty { assertionFailure(found.joined(separator: "; ")) }
        return true
      }())
  }

  private static var mostChecked: Int { 32 }
}
