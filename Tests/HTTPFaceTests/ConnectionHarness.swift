import Base
import HTTP2

/// A server's connection with a client that sends frames made by hand.
final class ConnectionHarness {
  let connection: HTTP2Connection
  private let inflater = FieldInflater()
  private(set) var time = MonotonicTime(nanoseconds: 1)

  /// - Parameter greets: whether preface and settings are exchanged first.
  init(_ limits: HTTP2Limits = HTTP2Limits(), settings: [(id: UInt16, value: UInt32)] = [], greets: Bool = true) {
    connection = HTTP2Connection(limits, at: time)
    guard greets else { return }
    send(HTTP2Frame.preface)
    send([.settings(settings), HTTP2Frame(.settings, flags: HTTP2Frame.ack)])
    _ = output()
  }

  func send(_ bytes: [UInt8]) { connection.receive(bytes.span, at: time) }

  func send(_ frames: [HTTP2Frame]) { send(frames.flatMap(\.bytes)) }

  func pass(_ duration: Duration) { time = time + duration }

  var events: [HTTP2Event] {
    var events: [HTTP2Event] = []
    connection.takeEvents(into: &events)
    return events
  }

  func output() -> [HTTP2Frame] {
    var bytes: [UInt8] = []
    while connection.output(into: &bytes, upTo: 1 << 20) { continue }
    return HTTP2Frame.all(in: bytes)
  }

  func fields(_ frame: HTTP2Frame) -> [String: String] { inflater.fields(of: frame.payload) }

  /// The code and text of the GOAWAY in what comes out.
  func goaway() -> (code: UInt32, text: String)? {
    guard let frame = output().last(where: { $0.kind == HTTP2Frame.Kind.goaway.rawValue }) else { return nil }
    return (frame.word(at: 4), String(decoding: frame.payload[8...], as: UTF8.self))
  }
}
