/// Reads the requests of a connection from their bytes: HTTP/1.1 to the letter of RFC 9112, and 1.0 for proxies that
/// speak it. What another reader could take for something else is refused.
///
/// It is asked for one event after the other, and keeps what it has not been asked for.
package struct RequestReader {
  package enum Event: Equatable {
    case head(ReceivedHead)
    case body([UInt8])
    /// The request is complete.
    case end
  }

  private enum Place {
    /// A request's first line comes.
    case line
    /// The fields of a head come.
    case fields(ReceivedHead, host: String?)
    case body(left: Int)
    case chunks(ChunkReader)
    /// The request has no more bytes.
    case end
  }

  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to where no line ends.
  private var scanned = 0
  private var place = Place.line
  /// How many bytes the head has so far.
  private var headBytes = 0
  private var hasSkippedLine = false
  private let limits: RequestLimits

  package init(_ limits: RequestLimits = RequestLimits()) {
    self.limits = limits
  }

  /// How many bytes it keeps.
  package var kept: Int { buffer.count - start }

  /// Whether a request has begun to arrive and is not complete.
  package var isInsideRequest: Bool {
    if case .line = place { kept > 0 } else { true }
  }

  package mutating func append(_ bytes: Span<UInt8>) {
    if start == buffer.count || start > Self.mostGone { forgetRead() }
    buffer.append(bytes)
  }

  /// Gives memory back between requests.
  package mutating func rest() {
    guard kept == 0, buffer.capacity > 0 else { return }
    buffer = []
    (start, scanned) = (0, 0)
  }

  private static let usualFields = 16

  /// How many bytes that were read are kept in memory before others are moved to their place.
  private static let mostGone = 64 << 10

  private mutating func forgetRead() {
    let count = start
    if count == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.mostGone)
    } else {
      buffer.removeFirst(count)
    }
    start = 0
    scanned = max(0, scanned - count)
    if case .chunks(var chunks) = place {
      chunks.moved(by: count)
      place = .chunks(chunks)
    }
  }

  /// The next event; nil when more bytes have to arrive. After a fault, nothing more may be read.
  package mutating func next() throws(RequestFault) -> Event? {
    while true {
      switch place {
      case .line:
        guard let line = try headLine() else { return nil }
        if line.isEmpty, !hasSkippedLine, headBytes == 2 {
          // Some clients end a body with one empty line more than it has (section 2.2).
          hasSkippedLine = true
          headBytes = 0
          continue
        }
        let first = try RequestLine(line, longestTarget: limits.target)
        var head = ReceivedHead(
          method: first.method, target: first.target, isCurrent: first.isCurrent, keepsConnection: first.isCurrent)
        head.fields.reserveCapacity(Self.usualFields)
        place = .fields(head, host: first.host)
      case .fields(var head, let host):
        // The head is taken out, so that its fields are not copied for each line.
        place = .line
        while let line = try headLine() {
          if line.isEmpty {
            try head.complete(host: host)
            return begin(head)
          }
          guard head.fields.count < limits.fields else {
            throw RequestFault(431, "the request has more than \(limits.fields) headers")
          }
          head.fields.append(try FieldLine.read(line))
        }
        place = .fields(head, host: host)
        return nil
      case .body(let left):
        guard kept > 0 else { return nil }
        let count = min(left, kept)
        defer { start += count }
        place = left == count ? .end : .body(left: left - count)
        return .body(Array(buffer[start..<(start + count)]))
      case .chunks(var chunks):
        switch try chunks.next(in: buffer, from: &start) {
        case .bytes(let range):
          place = .chunks(chunks)
          return .body(Array(buffer[range]))
        case .wait:
          place = .chunks(chunks)
          return nil
        case .end: place = .end
        }
      case .end:
        place = .line
        headBytes = 0
        hasSkippedLine = false
        return .end
      }
    }
  }

  private mutating func begin(_ head: ReceivedHead) -> Event {
    place =
      switch head.body {
      case .none: .end
      case .length(let count): .body(left: count)
      case .chunked: .chunks(ChunkReader(limits))
      }
    return .head(head)
  }

  private mutating func headLine() throws(RequestFault) -> ArraySlice<UInt8>? {
    let before = start
    let (limit, isFirst) = (limits.head, isAtFirstLine)
    let line = try Line.next(
      in: buffer, from: &start, scanned: &scanned, most: limit - headBytes, tooLong: Self.tooLong(limit, isFirst))
    headBytes += start - before
    return line
  }

  private var isAtFirstLine: Bool {
    if case .line = place { headBytes == 0 } else { false }
  }

  /// A line alone that is too long is an address that is too long.
  private static func tooLong(_ limit: Int, _ isFirst: Bool) -> RequestFault {
    isFirst
      ? RequestFault(414, "the request's first line has more than \(limit) bytes")
      : RequestFault(431, "the request's head has more than \(limit) bytes")
  }
}
