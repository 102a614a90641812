/// Bytes that wait to be sent, in the pieces in which they came. Small pieces are put together.
struct ByteQueue {
  private var pieces: [[UInt8]] = []
  private var first = 0
  /// How much of the first piece is gone.
  private var offset = 0
  private(set) var count = 0

  private static let joinedUpTo = 4096

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    let last = pieces.count - 1
    if last >= first, pieces[last].count + bytes.count <= Self.joinedUpTo {
      pieces[last].append(contentsOf: bytes)
    } else {
      pieces.append(bytes)
    }
  }

  /// Passes on the next bytes, at most `limit`, in one or more spans, and forgets them; returns how many there were.
  mutating func take(_ limit: Int, _ body: (Span<UInt8>) -> Void) -> Int {
    var left = min(limit, count)
    let taken = left
    while left > 0 {
      let part = min(left, pieces[first].count - offset)
      let piece = pieces[first]
      let bytes = piece.span
      body(bytes.extracting(offset..<offset + part))
      left -= part
      offset += part
      if offset == pieces[first].count { forgetFirst() }
    }
    count -= taken
    return taken
  }

  private mutating func forgetFirst() {
    pieces[first] = []
    first += 1
    offset = 0
    // Moving the rest to the front only when most of it has gone keeps the cost of a long line linear.
    guard 2 * first >= pieces.count else { return }
    pieces.removeFirst(first)
    first = 0
  }

  mutating func removeAll() { self = ByteQueue() }
}
