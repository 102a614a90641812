/// The memory of messages that have not come completely. No connection may take more than is still free, so that one
/// gets at most a half, two a third each, and so on.
final class GatheringRoom {
  private let limit: Int
  private(set) var taken = 0

  /// Messages up to this size are bounded by windows alone.
  static let free = 64 << 10

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts that what a connection gathers for one message has become `count` bytes, and was `former`; false when there
  /// is no room for more.
  func change(from former: Int, to count: Int, of own: inout Int) -> Bool {
    let change = max(0, count - Self.free) - max(0, former - Self.free)
    guard change <= 0 || own + change <= limit - taken else { return false }
    own += change
    taken += change
    return true
  }
}
