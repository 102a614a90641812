/// One direction of a call, at its sender: messages go in, DATA chunks come out as far as the window allows.
///
/// Messages follow each other in the stream, so a chunk may hold many small messages or a part of a large one.
package struct StreamSender: Sendable {
  private var pieces: [[UInt8]] = []
  private var firstPiece = 0
  /// How much of the first piece was sent.
  private var sent = 0
  /// How many bytes wait for the window.
  package private(set) var backlog = 0
  /// The offset of the first byte that was not sent.
  package private(set) var offset: UInt64 = 0
  package private(set) var window: UInt64 = BusLimits.initialWindow

  package init() {}

  package mutating func append(_ run: MessageRun) {
    backlog += run.byteCount
    for piece in run.pieces {
      let last = pieces.count - 1
      if last >= firstPiece, pieces[last].count + piece.count <= BusLimits.chunk {
        pieces[last].append(contentsOf: piece)
      } else {
        pieces.append(piece)
      }
    }
  }

  /// Takes a WINDOW. Offsets are absolute, so one that comes late or twice changes nothing.
  package mutating func extend(window offset: UInt64) {
    window = max(window, offset)
  }

  /// The next chunk that may be sent, with its offset; nil when nothing waits or the window is closed.
  package mutating func nextChunk() -> (offset: UInt64, bytes: [UInt8])? {
    guard backlog > 0, window > offset else { return nil }
    let left = pieces[firstPiece].count - sent
    let count = min(left, Int(clamping: window - offset), BusLimits.chunk)
    // A whole piece is sent without a copy.
    let bytes =
      count == pieces[firstPiece].count ? pieces[firstPiece] : Array(pieces[firstPiece][sent..<sent + count])
    sent += count
    if count == left { forgetPiece() }
    defer { offset += UInt64(count) }
    backlog -= count
    assert(count > 0 && count <= window - offset, "a chunk has bytes, and ends within the window")
    assert((backlog > 0) == (firstPiece < pieces.count), "what waits stands in the pieces")
    return (offset, bytes)
  }

  private mutating func forgetPiece() {
    pieces[firstPiece] = []
    firstPiece += 1
    sent = 0
    // Moving the rest to the front only when most of it has gone keeps the cost of a long line linear.
    guard 2 * firstPiece >= pieces.count else { return }
    pieces.removeFirst(firstPiece)
    firstPiece = 0
  }
}
