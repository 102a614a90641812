/// One direction of a call as a gateway forwards it: how far its sender has sent, and how far its receiver lets it
/// send.
///
/// The gateway enforces both bounds. Otherwise a side that sends beyond its window would fill what the gateway keeps
/// for the other side, and cost that one its session.
struct StreamMeter: Sendable {
  /// The offset of the next byte.
  private(set) var passed: UInt64 = 0
  private(set) var granted = BusLimits.initialWindow
  private var stage = Stage.silent

  private enum Stage {
    /// Nothing has come.
    case silent
    case begun
    /// Its sender has declared that nothing more follows.
    case ended
  }

  /// Whether a chunk has come, even one without bytes, or the end.
  var hasBegun: Bool { stage != .silent }
  var hasEnded: Bool { stage == .ended }
  /// Whether bytes have come, or the end.
  var hasContent: Bool { passed > 0 || hasEnded }

  /// Checks the sender's next bytes.
  mutating func pass(_ count: Int, at offset: UInt64) throws(StreamReceiver.Violation) {
    assert(!hasEnded, "nothing passes behind the end of a stream")
    guard offset == passed else { throw .gap(expected: passed, found: offset) }
    let end = offset + UInt64(count)
    guard end <= granted else { throw .windowExceeded(granted: granted, sent: end) }
    passed = end
    stage = .begun
  }

  mutating func end() {
    assert(!hasEnded, "a stream ends once")
    stage = .ended
  }

  /// Checks the receiver's WINDOW; false when it changes nothing.
  mutating func grant(upTo offset: UInt64) throws(StreamReceiver.Violation) -> Bool {
    guard offset > granted else { return false }
    let furthest = passed + BusLimits.furthestWindow
    guard offset <= furthest else { throw .windowTooFar(furthest: furthest, asked: offset) }
    granted = offset
    assert(passed < granted, "a window that is raised ends beyond what has passed")
    return true
  }

  /// Whether its receiver has granted more than the first window.
  var hasGrant: Bool { granted > BusLimits.initialWindow }
}
