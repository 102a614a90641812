internal import Base
internal import Bus
internal import Face
public import FuzzKit
internal import HTTPFace
internal import RPC

/// What must hold for any request at the HTTP door: no crash, exactly one of an answer and a call on the bus when its
/// body has ended, and nothing left when its caller has gone.
public enum HTTPTarget: FuzzTarget {
  private static let method = "/assent.interop.v1.InteropService/"
  private static let styles: [(type: String, method: String)] = [
    ("application/json", "UnaryCall"), ("application/proto", "UnaryCall"),
    ("application/connect+json", "StreamingOutputCall"), ("application/connect+proto", "StreamingInputCall"),
    ("application/connect+json", "StreamingInputCall"), ("application/grpc-web+proto", "UnaryCall"),
    ("application/grpc-web-text", "StreamingOutputCall"),
  ]

  /// What does not hold for this input, or nil. The first byte chooses protocol and method, the second whether the body
  /// is compressed and into which pieces it is cut.
  public static func complaint(about input: [UInt8]) -> String? {
    guard input.count >= 2 else { return nil }
    let style = styles[Int(input[0]) % styles.count]
    var head = RequestHead(method: "POST", target: method + style.method, address: "192.0.2.1")
    head.add("content-type", style.type)
    head.add("authorization", "Bearer key")
    let isCompressed = input[1] >= 128
    if isCompressed {
      for name in ["content-encoding", "connect-content-encoding", "grpc-encoding"] { head.add(name, "gzip") }
    }
    let door = Doorway(
      port: CallPort(host: SilentBus()), catalogue: catalogue, gatekeeper: Gatekeeper([Everybody()]), limits: limits,
      workshop: workshop
    ) { _ in }
    let exchange = HTTPRouter(door, crossOrigin: CrossOrigin()).open(head)
    var rest = input.dropFirst(2)
    let piece = max(1, Int(input[1] & 127))
    while !rest.isEmpty {
      let part = rest.prefix(piece)
      let taken = exchange.take(part)
      guard (0...part.count).contains(taken) else { return "it took \(taken) of \(part.count) bytes" }
      // The bus takes nothing here, so what does not fit never will.
      if taken == 0 { break }
      rest = rest.dropFirst(taken)
    }
    if rest.isEmpty { exchange.endBody() }
    // What is compressed is expanded on other threads, and may be called later.
    if rest.isEmpty, !isCompressed, exchange.response == nil, door.openCalls != 1 {
      return "it neither answered nor called"
    }
    if exchange.response != nil, door.openCalls != 0 { return "it answered, and its call goes on" }
    exchange.close(wasComplete: false)
    return door.openCalls == 0 ? nil : "a call was left behind"
  }

  private static let catalogue: Catalogue = {
    do {
      return try Catalogue.builtIn()
    } catch {
      preconditionFailure("without a catalogue nothing is tried: \(error)")
    }
  }()
  private static let workshop = Workshop<Conversion.Result>(on: DoorPool(threads: 1)) {}

  private static var limits: DoorLimits {
    var limits = DoorLimits()
    // Below what is converted on other threads.
    limits.largestMessage = 8 << 10
    return limits
  }

  /// First inputs: a right request of each style.
  public static func seeds() -> [[UInt8]] {
    let json = Array("{\"responseSize\": 3}".utf8)
    func framed(_ payload: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = []
      PrefixedFrame(payload: payload).append(to: &bytes)
      return bytes
    }
    let stream = framed(Array("{\"payload\": {\"body\": \"AAAA\"}}".utf8))
    return [
      [0, 7] + json, [0, 255] + Gzip.compress(json), [1, 1, 8, 3], [2, 9] + framed(Array("{}".utf8)),
      [3, 5] + framed([10, 2, 10, 0]) + framed([]), [4, 3] + stream + stream, [5, 2] + framed([8, 3]),
      [6, 4] + Array("AAAAAAA=".utf8),
    ]
  }

  private struct Everybody: CredentialVerifier {
    func recognises(_ token: String) -> Bool { true }

    func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
      VerifiedCaller(
        identity: CallerIdentity(kind: .person, tenant: "a", subject: "b", grants: ["admin@*"]), account: "c")
    }
  }

  /// Takes every call and answers none.
  private final class SilentBus: ClientHost {
    var now: MonotonicTime { MonotonicTime(nanoseconds: 0) }

    func submit(_ input: ClientInput) -> Bool { true }
  }
}
