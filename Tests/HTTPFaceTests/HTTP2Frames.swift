/// A frame of HTTP/2, made and read by hand, so that a client may break every rule.
struct HTTP2Frame: Equatable, CustomStringConvertible {
  enum Kind: UInt8 {
    case data, headers, priority, reset, settings, push, ping, goaway, window, continuation
  }

  var kind: UInt8
  var flags: UInt8 = 0
  var stream: Int32 = 0
  var payload: [UInt8] = []

  static let ack: UInt8 = 1
  static let endStream: UInt8 = 1
  static let endHeaders: UInt8 = 4
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  init(_ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
    self.init(kind: kind.rawValue, flags: flags, stream: stream, payload: payload)
  }

  init(kind: UInt8, flags: UInt8 = 0, stream: Int32 = 0, payload: [UInt8] = []) {
    self.kind = kind
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  var bytes: [UInt8] {
    let length = payload.count
    return [UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8), UInt8(length & 255)]
      + [kind, flags] + Self.word(UInt32(bitPattern: stream)) + payload
  }

  var description: String { "\(Kind(rawValue: kind).map { "\($0)" } ?? "kind \(kind)") of \(stream)" }

  static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  func word(at place: Int) -> UInt32 {
    payload[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  static func all(in bytes: [UInt8]) -> [HTTP2Frame] {
    var frames: [HTTP2Frame] = []
    var place = 0
    while place + 9 <= bytes.count {
      let length = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      let stream = bytes[place + 5..<place + 9].reduce(0) { $0 << 8 | UInt32($1) }
      frames.append(
        HTTP2Frame(
          kind: bytes[place + 3], flags: bytes[place + 4], stream: Int32(bitPattern: stream),
          payload: Array(bytes[place + 9..<place + 9 + length])))
      place += 9 + length
    }
    return frames
  }

  /// A header's fields, none of them compressed.
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { [0] + text($0.0) + text($0.1) }
  }

  private static func text(_ text: String) -> [UInt8] {
    var length: [UInt8] = []
    var rest = text.utf8.count
    if rest < 127 {
      length = [UInt8(rest)]
    } else {
      length = [127]
      rest -= 127
      while rest > 127 {
        length.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      length.append(UInt8(rest))
    }
    return length + text.utf8
  }

  static let requestFields = [
    (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), (":authority", "x"),
    ("content-type", "application/grpc"),
  ]

  static func request(_ stream: Int32, _ fields: [(String, String)] = [], ends: Bool = false) -> HTTP2Frame {
    HTTP2Frame(
      .headers, flags: endHeaders | (ends ? endStream : 0), stream: stream, block(requestFields + fields))
  }

  static func settings(_ values: [(id: UInt16, value: UInt32)] = []) -> HTTP2Frame {
    HTTP2Frame(.settings, values.flatMap { [UInt8($0.id >> 8), UInt8($0.id & 255)] + word($0.value) })
  }
}
