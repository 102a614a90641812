internal import Base
internal import Bus
internal import Face
internal import RPC

/// The bytes of a streamed response that the socket has not taken yet, and where in them messages end.
struct AnswerStream {
  var conversion = Conversion(.answer, type: nil, gzip: false, limit: 0)
  /// Whether the bytes are written as base64.
  var isText = false
  private(set) var isOver = false
  private var bytes: [UInt8] = []
  private var start = 0
  /// For each message that the socket has not taken: its end, counted from the first byte of the response, and its
  /// length on the bus.
  private var ends: [(end: Int, count: Int)] = []
  private var firstEnd = 0
  private var written = 0
  private var taken = 0

  var waiting: Int { bytes.count - start }

  /// - Parameter count: the message's length on the bus.
  mutating func append(_ frame: PrefixedFrame, messageOf count: Int) {
    append(frame)
    ends.append((written, count))
  }

  mutating func finish(_ frame: PrefixedFrame) {
    append(frame)
    isOver = true
  }

  private mutating func append(_ frame: PrefixedFrame) {
    let before = bytes.count
    if isText {
      var plain: [UInt8] = []
      frame.append(to: &plain)
      Base64.append(plain.span, to: &bytes)
    } else {
      frame.append(to: &bytes)
    }
    written += bytes.count - before
  }

  /// Takes at most `most` bytes, and counts the messages that the socket has completely with them.
  mutating func take(_ most: Int) -> (bytes: [UInt8], consumed: ReadCount) {
    let part = Array(bytes[start..<min(bytes.count, start + most)])
    start += part.count
    taken += part.count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
      start = 0
    } else if start > Self.keptCapacity, 2 * start >= bytes.count {
      // The rest is moved to the front only when most of the buffer has been taken, so that a long message costs linear
      // time.
      bytes.removeFirst(start)
      start = 0
    }
    var consumed = ReadCount()
    while firstEnd < ends.count, ends[firstEnd].end <= taken {
      consumed.bytes += ends[firstEnd].count
      consumed.messages += 1
      firstEnd += 1
    }
    if firstEnd == ends.count || firstEnd > 64 {
      ends.removeFirst(firstEnd)
      firstEnd = 0
    }
    return (part, consumed)
  }

  private static let keptCapacity = 64 << 10
}
