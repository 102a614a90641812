/// The streams that ended last, and how: what still comes on them is judged by it.
struct PastStreams {
  enum End {
    /// Both ends had said all, or the peer reset it.
    case complete
    /// This end reset it: frames of it may have been under way.
    case reset
  }

  private var ends: [Int32: End] = [:]
  private var numbers: [Int32] = []
  private var oldest = 0

  /// As many as may be open at once.
  private static let most = Int(HTTP2Limits().streams)

  subscript(number: Int32) -> End? { ends[number] }

  /// The first end counts.
  mutating func add(_ number: Int32, _ end: End) {
    guard ends[number] == nil else { return }
    ends[number] = end
    if numbers.count < Self.most { return numbers.append(number) }
    ends[numbers[oldest]] = nil
    numbers[oldest] = number
    oldest = (oldest + 1) % Self.most
  }
}
