/// Which messages of an answer have gone out completely.
struct SentMessages {
  /// The sizes of messages that have not, and where each ends in the body.
  private var waiting: [(size: Int, end: Int)] = []
  private var first = 0
  private var framed = 0
  private(set) var sentBytes = 0

  /// Whether something has not gone out.
  var areWaiting: Bool { waitingBytes > 0 }

  /// How much has not.
  var waitingBytes: Int { framed - sentBytes }

  /// A message of `size` bytes takes `count` in the body.
  mutating func add(ofSize size: Int, framed count: Int) {
    framed += count
    waiting.append((size, framed))
  }

  /// So many more bytes have gone out; returns the messages that are complete with them.
  mutating func sent(_ count: Int) -> (bytes: Int, messages: Int) {
    sentBytes += count
    var done = (bytes: 0, messages: 0)
    while first < waiting.count, waiting[first].end <= sentBytes {
      done.bytes += waiting[first].size
      done.messages += 1
      first += 1
    }
    if first == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      first = 0
    } else if 2 * first >= waiting.count {
      waiting.removeFirst(first)
      first = 0
    }
    return done
  }
}
