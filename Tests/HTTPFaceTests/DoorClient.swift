import Face
import HTTPFace
import InteropContract
import Wire

/// A client of the door that makes frames by hand, one connection each.
final class DoorClient {
  private let socket: ClientSocket
  private let inflater = FieldInflater()
  private var input: [UInt8] = []
  private var lastStream: Int32 = -1
  private var windows: [Int32: UInt32] = [:]
  /// The fields of the last header. Each has to be read, since later ones refer to earlier ones.
  private(set) var fields: [String: String] = [:]

  private static let largestFrame = 16_384
  static let token = "ak_test"

  struct Answer: Equatable {
    var status: String?
    var message: String?
    var messages: [[UInt8]] = []
  }

  init(
    port: UInt16, host: UInt8 = 1, settings: [(id: UInt16, value: UInt32)] = [], receiveBuffer: Int32? = nil
  ) throws {
    socket = try ClientSocket(port: port, host: host, receiveBuffer: receiveBuffer)
    socket.send(HTTP2Frame.preface + HTTP2Frame.settings(settings).bytes)
  }

  @discardableResult
  func send(_ frames: [HTTP2Frame]) -> Bool { socket.send(frames.flatMap(\.bytes)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  func sendAtOnce(_ bytes: [UInt8]) -> Int { socket.sendAtOnce(bytes) }

  /// The next frame that is no acknowledgement, and no window; nil when the connection is over.
  func next() -> HTTP2Frame? {
    while true {
      if input.count >= 9 {
        let length = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
        if input.count >= 9 + length {
          let frame = HTTP2Frame.all(in: Array(input.prefix(9 + length)))[0]
          input.removeFirst(9 + length)
          if frame.kind == HTTP2Frame.Kind.headers.rawValue { fields = inflater.fields(of: frame.payload) }
          if frame.kind == HTTP2Frame.Kind.window.rawValue { windows[frame.stream, default: 0] += frame.word(at: 0) }
          if frame.kind == HTTP2Frame.Kind.settings.rawValue || frame.kind == HTTP2Frame.Kind.window.rawValue {
            continue
          }
          return frame
        }
      }
      let bytes = socket.receive()
      if bytes.isEmpty { return nil }
      input += bytes
    }
  }

  /// By how much the server has opened a stream's window, after it has answered a ping.
  func windows(of stream: Int32) -> UInt32 {
    send([HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))])
    while let frame = next(), frame.kind != HTTP2Frame.Kind.ping.rawValue { continue }
    return windows[stream] ?? 0
  }

  /// Acknowledges the server's settings. Before that, a stream takes no more than 65,535 bytes at first.
  func acknowledge() {
    _ = windows(of: 0)
    send([HTTP2Frame(.settings, flags: 1, [])])
  }

  /// Opens a stream with a request's header.
  func open(
    _ method: String, _ fields: [(String, String)] = [], token: String? = token,
    contentType: String = "application/grpc"
  ) -> Int32 {
    lastStream += 2
    let authorization = token.map { [("authorization", "Bearer \($0)")] } ?? []
    var all = HTTP2Frame.requestFields.filter { $0.0.hasPrefix(":") && $0.0 != ":path" }
    all += [(":path", method), ("content-type", contentType)]
    var block = HTTP2Frame.block(all + authorization + fields)
    var frames: [HTTP2Frame] = []
    while frames.isEmpty || !block.isEmpty {
      let part = Array(block.prefix(Self.largestFrame))
      block.removeFirst(part.count)
      let flags = block.isEmpty ? HTTP2Frame.endHeaders : 0
      frames.append(HTTP2Frame(frames.isEmpty ? .headers : .continuation, flags: flags, stream: lastStream, part))
    }
    send(frames)
    return lastStream
  }

  func body(_ stream: Int32, _ messages: [[UInt8]], ends: Bool = true) {
    var bytes: [UInt8] = []
    for message in messages { PrefixedFrame(payload: message).append(to: &bytes) }
    send([HTTP2Frame(.data, flags: ends ? HTTP2Frame.endStream : 0, stream: stream, bytes)])
  }

  /// Reads until the stream is over.
  func answer(_ stream: Int32) -> Answer {
    var answer = Answer()
    var reader = PrefixedFrameReader(limit: 1 << 20)
    while let frame = next() {
      guard frame.stream == stream else { continue }
      if frame.kind == HTTP2Frame.Kind.headers.rawValue {
        answer.status = fields["grpc-status"] ?? answer.status
        answer.message = fields["grpc-message"] ?? answer.message
      } else if frame.kind == HTTP2Frame.Kind.data.rawValue {
        var rest = frame.payload[...]
        while let message = try? reader.next(from: &rest) { answer.messages.append(message.payload) }
      }
      if frame.kind == HTTP2Frame.Kind.reset.rawValue || frame.flags & HTTP2Frame.endStream != 0 { break }
    }
    return answer
  }

  /// Reads until the stream is over; returns the answer's body as it is.
  func body(of stream: Int32) -> [UInt8] {
    var body: [UInt8] = []
    while let frame = next() {
      guard frame.stream == stream else { continue }
      if frame.kind == HTTP2Frame.Kind.data.rawValue { body += frame.payload }
      if frame.kind == HTTP2Frame.Kind.reset.rawValue || frame.flags & HTTP2Frame.endStream != 0 { break }
    }
    return body
  }

  func unary(_ method: String, _ message: [UInt8] = [], token: String? = token) -> Answer {
    let stream = open(method, token: token)
    body(stream, [message])
    return answer(stream)
  }

  static let interop = "/assent.interop.v1.InteropService"
}
