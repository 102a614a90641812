internal import Base
internal import Bus
internal import Face
public import FuzzKit
internal import HTTPFace
internal import RPC

/// What must hold for any bytes at the door: no crash, bounded output, and nothing left when the client has gone.
///
/// The input is what a client sends over HTTP/1.1, or behind the preface of HTTP/2, in whatever pieces.
public enum HTTP2Target: FuzzTarget {
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  /// More than all answers to an input of this size: refusals, acknowledgements and window updates.
  private static let mostOutput = 4 << 20

  /// What does not hold for this input, or nil. The first byte says into which pieces it is cut, and whether it is
  /// HTTP/1.1.
  public static func complaint(about input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let doorway = Doorway(
      port: CallPort(host: SilentBus()), catalogue: catalogue, gatekeeper: Gatekeeper([Everybody()]),
      limits: DoorLimits(), workshop: workshop
    ) { _ in }
    var now = MonotonicTime(nanoseconds: 1)
    let router = HTTPRouter(doorway, crossOrigin: CrossOrigin())
    let connection: any ClientConnection =
      first >= 128
      ? HTTP1Client(router, address: "192.0.2.1", isSecure: false, at: now)
      : HTTP2Client(router, address: "192.0.2.1", isSecure: false, at: now)
    var rest = ((first >= 128 ? [] : preface) + input.dropFirst())[...]
    let piece = max(1, Int(first & 127)) * 8
    var sent = 0
    while !rest.isEmpty, !connection.isOver {
      connection.receive(Array(rest.prefix(piece)).span, at: now)
      rest = rest.dropFirst(piece)
      now = now + .milliseconds(10)
      sent += output(of: connection, at: now)
      guard sent <= mostOutput else { return "it sent \(sent) bytes" }
    }
    connection.check(at: now + .seconds(3600))
    sent += output(of: connection, at: now)
    connection.lose()
    return doorway.openCalls > 0 ? "a call was left behind" : nil
  }

  private static func output(of connection: any ClientConnection, at now: MonotonicTime) -> Int {
    var count = 0
    while count <= mostOutput {
      var bytes: [UInt8] = []
      let isUnfinished = connection.output(into: &bytes, upTo: 64 << 10, at: now)
      count += bytes.count
      if !isUnfinished { break }
    }
    return count
  }

  private static let catalogue: Catalogue = {
    do {
      return try Catalogue.builtIn()
    } catch {
      preconditionFailure("without a catalogue nothing is tried: \(error)")
    }
  }()
  private static let workshop = Workshop<Conversion.Result>(on: DoorPool(threads: 1)) {}

  // MARK: - First inputs

  /// Right requests of each kind, and each kind of frame.
  public static func seeds() -> [[UInt8]] {
    let settings = frame(4, 0, 0, []) + frame(4, 1, 0, [])
    func head(_ method: String, ends: Bool = false, stream: UInt8 = 1) -> [UInt8] {
      let fields = [
        (":method", "POST"), (":scheme", "http"), (":path", "/assent.interop.v1.InteropService/\(method)"),
        (":authority", "a"), ("content-type", "application/grpc"), ("te", "trailers"), ("authorization", "Bearer k"),
        ("grpc-encoding", "gzip"), ("grpc-timeout", "5S"),
      ]
      return frame(1, ends ? 5 : 4, stream, fields.flatMap { literal($0.0, $0.1) })
    }
    func body(_ payload: [UInt8], ends: Bool = true, stream: UInt8 = 1) -> [UInt8] {
      var bytes: [UInt8] = []
      PrefixedFrame(payload: payload).append(to: &bytes)
      return frame(0, ends ? 1 : 0, stream, bytes)
    }
    return [
      [120] + settings + head("UnaryCall") + body([8, 3]),
      [9] + settings + head("StreamingInputCall") + body([10, 0], ends: false) + body([]),
      [3] + settings + head("FullDuplexCall") + body([], ends: false) + frame(3, 0, 1, [0, 0, 0, 8]),
      [60] + settings + head("EmptyCall", ends: true) + frame(6, 0, 0, [UInt8](repeating: 7, count: 8)),
      [60] + settings + head("UnaryCall") + frame(8, 0, 1, [0, 0, 1, 0]) + frame(2, 0, 1, [0, 0, 0, 0, 9])
        + frame(7, 0, 0, [UInt8](repeating: 0, count: 8)),
      [60] + settings + head("UnaryCall", stream: 1) + head("UnaryCall", stream: 3) + body([], stream: 3),
      [200] + Array("GET / HTTP/1.1\r\nhost: a\r\n\r\n".utf8),
      [130] + post("UnaryCall", "content-length: 2", "{}") + post("EmptyCall", "content-length: 2", "{}"),
      [180] + post("UnaryCall", "transfer-encoding: chunked", "2;a=b\r\n{}\r\n0\r\nx: y\r\n\r\n"),
      [140] + post("UnaryCall", "expect: 100-continue\r\ncontent-length: 2", "{}"),
    ]
  }

  private static func post(_ method: String, _ field: String, _ body: String) -> [UInt8] {
    Array(
      """
      POST /assent.interop.v1.InteropService/\(method) HTTP/1.1\r
      host: a\r
      content-type: application/json\r
      authorization: Bearer k\r
      \(field)\r
      \r
      \(body)
      """.utf8)
  }

  private static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), kind, flags, 0, 0, 0, stream] + payload
  }

  /// A field of a header without compression, and not to be remembered.
  private static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
  }

  private struct Everybody: CredentialVerifier {
    func recognises(_ token: String) -> Bool { true }

    func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
      VerifiedCaller(identity: CallerIdentity(kind: .device, tenant: "a", subject: "b", device: "b"), account: "c")
    }
  }

  /// Takes every call and answers none.
  private final class SilentBus: ClientHost {
    var now: MonotonicTime { MonotonicTime(nanoseconds: 0) }

    func submit(_ input: ClientInput) -> Bool { true }
  }
}
