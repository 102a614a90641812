/// A queue of bytes to send, in the pieces in which they were added. Small pieces are joined.
struct ByteQueue {
  private var pieces: [[UInt8]] = []
  private var first = 0
  /// How many bytes of the first piece have been taken.
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

  /// Removes the next bytes, at most `limit`, and calls `body` with them in one or more spans; returns how many there
  /// were.
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
    // The rest is moved to the front only when most of the queue has been taken, so that a long queue costs linear
    // time.
    guard 2 * first >= pieces.count else { return }
    pieces.removeFirst(first)
    first = 0
  }

  mutating func removeAll() { self = ByteQueue() }
}
