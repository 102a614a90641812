/// Keeps track of which messages of an answer have been sent completely.
struct SentMessages {
  /// The messages that have not been sent completely: the size of each, and where it ends in the body.
  private var waiting: [(size: Int, end: Int)] = []
  private var first = 0
  private var framed = 0
  private(set) var sentBytes = 0

  /// Whether anything has not been sent.
  var areWaiting: Bool { waitingBytes > 0 }

  /// How many bytes have not been sent.
  var waitingBytes: Int { framed - sentBytes }

  /// Adds a message of `size` bytes, which takes `count` bytes of the body.
  mutating func add(ofSize size: Int, framed count: Int) {
    framed += count
    waiting.append((size, framed))
  }

  /// Notes that `count` more bytes were sent; returns how many messages they complete, and the sizes of these together.
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
