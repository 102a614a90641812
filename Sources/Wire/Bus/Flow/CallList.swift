/// Calls that wait for the next flush, each once: what a stream says between two flushes goes out in as few chunks as hold it.
struct CallList: Sendable {
  private var calls: [UInt64] = []

  mutating func note(_ call: UInt64) {
    // One stream mostly says several things in a row; a second entry would find nothing left to send.
    if calls.last != call { calls.append(call) }
  }

  mutating func take() -> [UInt64] {
    guard !calls.isEmpty else { return [] }
    defer { calls = [] }
    return calls
  }
}
