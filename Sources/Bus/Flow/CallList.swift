/// Calls that wait for the next flush: what a stream says between two flushes goes out in as few chunks as hold it.
struct CallList: Sendable {
  private var calls: [UInt64] = []

  mutating func note(_ call: UInt64) {
    // One stream mostly says several things in a row. A call that stands here twice finds nothing left to send the second time.
    if calls.last != call { calls.append(call) }
  }

  mutating func take() -> [UInt64] {
    guard !calls.isEmpty else { return [] }
    defer { calls = [] }
    return calls
  }
}
