/// How much the windows of all streams of one machine may grow beyond their first size, taken together: what a machine may have
/// to keep for slow readers is bounded, and so is what a gateway may have to keep for its session.
package struct WindowAllowance: Sendable {
  package private(set) var left = BusLimits.windowAllowance

  package init() {}

  mutating func take(_ count: UInt64) -> Bool {
    guard count <= left else { return false }
    left -= count
    return true
  }

  mutating func giveBack(_ count: UInt64) { left += count }
}
