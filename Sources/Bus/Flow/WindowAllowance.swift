/// The budget by which all windows of a client or worker may grow together. It bounds what slow readers may make the
/// process keep, and what a gateway may have to keep for its session.
package struct WindowAllowance: Sendable {
  package private(set) var left = BusLimits.windowAllowance

  package init() {}

  mutating func take(_ count: UInt64) -> Bool {
    guard count <= left else { return false }
    left -= count
    return true
  }

  mutating func giveBack(_ count: UInt64) {
    left += count
    assert(left <= BusLimits.windowAllowance, "a stream gives back more than it has taken")
  }
}
