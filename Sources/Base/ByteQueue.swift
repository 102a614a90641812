/// Bytes that wait to be sent. They are kept in pieces, and a piece is freed when its last byte is taken: so what is
/// kept exceeds what waits by less than a piece. Small arrays are put together, and long ones are cut.
package struct ByteQueue {
  /// The most bytes of one piece.
  package static let piece = 16 << 10
  private static let joinedUpTo = 4096

  private var pieces: [[UInt8]] = []
  private var first = 0
  /// How much of the first piece is gone.
  private var offset = 0
  /// How many bytes wait.
  package private(set) var count = 0

  package init() {}

  /// How many bytes are in memory: those that wait, and those that were taken from the first piece.
  package var kept: Int { count + offset }

  package mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    let last = pieces.count - 1
    if last >= first, pieces[last].count + bytes.count <= Self.joinedUpTo {
      pieces[last].append(contentsOf: bytes)
    } else if bytes.count <= Self.piece {
      pieces.append(bytes)
    } else {
      for start in stride(from: 0, to: bytes.count, by: Self.piece) {
        pieces.append(Array(bytes[start..<min(start + Self.piece, bytes.count)]))
      }
    }
  }

  /// Passes on the next bytes, at most `limit`, in one or more spans, and forgets them; returns how many there were.
  package mutating func take(_ limit: Int, _ body: (Span<UInt8>) -> Void) -> Int {
    let most = min(limit, count)
    var left = most
    while left > 0 {
      let piece = pieces[first]
      let bytes = piece.span
      let part = min(left, piece.count - offset)
      body(bytes.extracting(offset..<offset + part))
      left -= part
      forget(part)
    }
    return most
  }

  /// Removes the next bytes, at most `limit`, and returns them.
  package mutating func take(_ limit: Int) -> [UInt8] {
    var taken: [UInt8] = []
    var left = min(limit, count)
    taken.reserveCapacity(left)
    while left > 0 {
      let part = min(left, pieces[first].count - offset)
      taken += pieces[first][offset..<offset + part]
      left -= part
      forget(part)
    }
    return taken
  }

  /// Forgets bytes of the first piece.
  private mutating func forget(_ part: Int) {
    offset += part
    count -= part
    if offset == pieces[first].count { forgetFirst() }
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

  package mutating func removeAll() { self = ByteQueue() }
}
