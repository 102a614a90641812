/// Calls whose streams are pumped at the next flush, so that what a stream sends between two flushes goes out in as few
/// chunks as possible.
struct CallList: Sendable {
  private var calls: [UInt64] = []

  mutating func note(_ call: UInt64) {
    // Usually one stream sends several times in a row. A call that is in the list twice has nothing left to send the
    // second time.
    if calls.last != call { calls.append(call) }
  }

  mutating func take() -> [UInt64] {
    guard !calls.isEmpty else { return [] }
    defer { calls = [] }
    return calls
  }
}
