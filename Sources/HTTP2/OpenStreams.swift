/// The streams that are open, by their numbers.
struct OpenStreams {
  private var all: [Int32: HTTP2Stream] = [:]
  /// The one that began last: the fields of its header come one after the other, and often its body behind them.
  private var last: HTTP2Stream?

  var count: Int { all.count }

  subscript(number: Int32) -> HTTP2Stream? {
    if let last, last.number == number { return last }
    return all[number]
  }

  mutating func begin(_ number: Int32) {
    let stream = HTTP2Stream(number)
    all[number] = stream
    last = stream
  }

  /// Removes the stream and returns it, if it is open.
  mutating func end(_ number: Int32) -> HTTP2Stream? {
    if last?.number == number { last = nil }
    return all.removeValue(forKey: number)
  }
}
