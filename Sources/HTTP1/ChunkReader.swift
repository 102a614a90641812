/// Reads a body in chunks (RFC 9112, section 7.1).
struct ChunkReader {
  private enum Place {
    /// A chunk's size comes.
    case size
    /// So many bytes of a chunk come.
    case data(Int)
    /// The end of a chunk's line comes.
    case dataEnd
    case trailer(bytes: Int, fields: Int)
  }

  private var place = Place.size
  private var scanned = 0
  private let limits: RequestLimits

  enum Step: Equatable {
    case bytes(Range<Int>)
    case end
    /// More bytes have to arrive.
    case wait
  }

  /// Chunks of more bytes are refused. It has as many digits as a size may have.
  private static let mostDigits = 8

  init(_ limits: RequestLimits) {
    self.limits = limits
  }

  /// Notes that so many bytes were removed before what is left of the buffer.
  mutating func moved(by count: Int) { scanned = max(0, scanned - count) }

  /// The next step from `start` on, which it moves.
  mutating func next(in buffer: [UInt8], from start: inout Int) throws(RequestFault) -> Step {
    while true {
      switch place {
      case .size:
        let most = Self.mostDigits + limits.chunkExtension
        guard
          let line = try Line.next(
            in: buffer, from: &start, scanned: &scanned, most: most, tooLong: Self.longSize)
        else { return .wait }
        let size = try Self.size(line)
        place = size == 0 ? .trailer(bytes: 0, fields: 0) : .data(size)
      case .data(let left):
        guard start < buffer.count else { return .wait }
        let count = min(left, buffer.count - start)
        defer { start += count }
        place = left == count ? .dataEnd : .data(left - count)
        return .bytes(start..<(start + count))
      case .dataEnd:
        guard start + 1 < buffer.count else {
          if start < buffer.count, buffer[start] != 0x0D { throw Self.wrongEnd }
          return .wait
        }
        guard buffer[start] == 0x0D, buffer[start + 1] == 0x0A else { throw Self.wrongEnd }
        start += 2
        place = .size
      case .trailer(let bytes, let fields):
        guard
          let line = try Line.next(
            in: buffer, from: &start, scanned: &scanned, most: limits.trailer - bytes, tooLong: Self.longTrailer)
        else { return .wait }
        if line.isEmpty { return .end }
        guard fields < limits.fields else { throw Self.longTrailer }
        try Self.check(trailer: line)
        place = .trailer(bytes: bytes + line.count + 2, fields: fields + 1)
      }
    }
  }

  private static func size(_ line: ArraySlice<UInt8>) throws(RequestFault) -> Int {
    let digits = line.prefix { Characters.hexadecimal($0) != nil }
    guard (1...mostDigits).contains(digits.count) else {
      throw .malformed("a chunk's size is a hexadecimal number of at most \(mostDigits) digits")
    }
    let rest = line[digits.endIndex...]
    // Extensions mean nothing here; they are read so that the size ends where every reader sees it end.
    guard rest.isEmpty || rest.trimmed.first == UInt8(ascii: ";") && rest.allAre(Characters.value) else {
      throw .malformed("a chunk's size is followed by a semicolon or by the end of its line")
    }
    return digits.reduce(0) { $0 << 4 | (Characters.hexadecimal($1) ?? 0) }
  }

  /// A trailer is read and dropped. One that could change how the request is read is refused.
  private static func check(trailer line: ArraySlice<UInt8>) throws(RequestFault) {
    let field = try FieldLine.read(line)
    guard !["content-length", "transfer-encoding", "host", "trailer", "authorization"].contains(field.name) else {
      throw .malformed("\(field.name) stands before the body, and not behind it")
    }
  }

  private static let wrongEnd = RequestFault.malformed("a chunk has more bytes than its size says")
  private static let longSize = RequestFault.malformed("the line of a chunk's size is too long")
  private static let longTrailer = RequestFault(431, "the trailer is too long")
}
