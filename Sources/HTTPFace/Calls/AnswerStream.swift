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
  private var bytes = ByteQueue()
  /// Where messages end, counted from the first byte of the response, and how long they were on the bus.
  private var ends: [(end: Int, count: Int)] = []
  private var firstEnd = 0
  private var written = 0
  private var taken = 0

  var waiting: Int { bytes.count }
  /// How much memory they take.
  var kept: Int { bytes.kept }

  /// How many bytes a frame has in the response.
  func size(of frame: PrefixedFrame) -> Int {
    let count = PrefixedFrame.prefix + frame.payload.count
    return isText ? (count + 2) / 3 * 4 : count
  }

  /// - Parameter count: the message's length on the bus.
  mutating func append(_ frame: PrefixedFrame, messageOf count: Int) {
    append(frame)
    ends.append((written, count))
  }

  /// - Parameter count: the message's length on the bus.
  mutating func append(file part: [UInt8], messageOf count: Int) {
    bytes.append(part)
    written += part.count
    ends.append((written, count))
  }

  mutating func finish(_ frame: PrefixedFrame) {
    append(frame)
    isOver = true
  }

  mutating func finish() { isOver = true }

  private mutating func append(_ frame: PrefixedFrame) {
    let before = bytes.count
    if isText {
      var (plain, text): ([UInt8], [UInt8]) = ([], [])
      frame.append(to: &plain)
      Base64.append(plain.span, to: &text)
      bytes.append(text)
    } else {
      frame.write { bytes.append($0) }
    }
    written += bytes.count - before
  }

  /// Takes at most `most` bytes, and counts the messages that the socket has completely with them.
  mutating func take(_ most: Int) -> (bytes: [UInt8], consumed: ReadCount) {
    let part = bytes.take(most)
    taken += part.count
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
}
