/// Decides when a machine's tables are checked in debug builds: after each of the first steps, and then only after
/// some. A check goes through all calls and services, which takes longer than most steps, and a contradiction that
/// arises in between is still there at the next one.
struct Invariants {
  private var steps = 0

  private static var alwaysChecked: Int { 32 }
  private static var interval: Int { 16 }
  /// A machine with more calls is checked only where a test asks for it.
  private static var mostChecked: Int { 32 }

  mutating func areDue(size: Int) -> Bool {
    steps += 1
    return size <= Self.mostChecked && (steps <= Self.alwaysChecked || steps.isMultiple(of: Self.interval))
  }

  /// Stops at contradictions.
  static func expectNone(of faults: [String]) {
    if !faults.isEmpty { assertionFailure(faults.joined(separator: "; ")) }
  }
}
