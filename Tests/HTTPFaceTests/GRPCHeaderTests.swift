import Base
import Face
import HTTPFace
import RPC
import Testing

struct GRPCHeaderTests {
  private func request(_ fields: [(String, String)]) throws -> CallHead {
    var head = RequestHead(method: "POST", target: "/a.B/C", address: "192.0.2.1")
    head.add("content-type", "application/grpc")
    for (name, value) in fields { head.add(name, value) }
    return try CallHead(head, style: try #require(CallStyle(contentType: "application/grpc")))
  }

  private func violation(_ fields: [(String, String)]) -> Status? {
    do {
      _ = try request(fields)
    } catch {
      return error as? Status
    }
    return nil
  }

  @Test(
    "a timeout is digits and a unit",
    arguments: [
      ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
      ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("0S", .zero), ("99999999H", .seconds(99_999_999 * 3600)),
    ])
  func timeout(_ text: String, _ expected: Duration) throws {
    #expect(try request([("grpc-timeout", text)]).timeout == expected)
  }

  @Test("anything else is no timeout", arguments: ["", "S", "1", "-1S", "1.5S", "123456789S", "1s", "1 S", "１S"])
  func noTimeout(_ text: String) throws {
    let violation = violation([("grpc-timeout", text)])
    #expect(violation?.code == .invalidArgument)
    #expect(violation?.message.contains("grpc-timeout") == true)
  }

  @Test("metadata is what belongs neither to HTTP nor to gRPC")
  func metadata() throws {
    let trace = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
    let request = try request([
      ("te", "trailers"), ("user-agent", "x"), ("authorization", "Bearer ak_x"), ("grpc-previous-rpc-attempts", "1"),
      ("cookie", "c=d"), ("idempotency-key", "k"),
      ("traceparent", trace), ("a-bin", "AQI, Aw=="),
      ("plain", "y"),
    ])
    var expected: Metadata = ["traceparent": "\(trace)"]
    try expected.add("a-bin", bytes: [1, 2])
    try expected.add("a-bin", bytes: [3])
    try expected.add("plain", "y")
    #expect(request.metadata == expected)
    #expect(request.idempotencyKey == "k")
  }

  @Test("bytes that are not base64, and encodings that nobody knows, are named")
  func violations() throws {
    #expect(violation([("a-bin", "!")])?.code == .invalidArgument)
    #expect(violation([("grpc-encoding", "br")])?.code == .unimplemented)
    #expect(try request([("grpc-encoding", "gzip")]).isCompressed)
    #expect(try request([("grpc-accept-encoding", "identity, gzip")]).acceptsGzip)
  }

  @Test("gRPC's content type has parameters and capitals that mean nothing")
  func contentTypes() {
    for type in ["application/grpc+json", "", "text/html"] { #expect(CallStyle(contentType: type) == nil) }
    for type in ["application/grpc+proto", "application/grpc;charset=x", "Application/gRPC"] {
      #expect(CallStyle(contentType: type)?.dialect == .grpc)
    }
  }

  @Test(
    "a status's text is percent-encoded UTF-8",
    arguments: [
      ("plain text!~", "plain text!~"), ("100 %", "100 %25"), ("a\nb", "a%0Ab"), ("☺", "%E2%98%BA"),
      ("\u{7F}", "%7F"), ("", ""),
    ])
  func messageText(_ text: String, _ expected: String) {
    #expect(StatusTrailers.escaped(text) == expected)
  }

  @Test("details travel as google.rpc.Status")
  func details() {
    let status = Status(.notFound, "no", details: [.init(typeName: "a.B", value: [8, 1])])
    let any = [0x0a, 23] + Array("type.googleapis.com/a.B".utf8) + [0x12, 2, 8, 1]
    #expect(StatusTrailers.encoded(status) == [8, 5, 0x12, 2] + Array("no".utf8) + [0x1a, 29] + any)
  }

  @Test("a trailer that could not be sent loses its details, not its code")
  func largeTrailer() {
    let status = Status(.aborted, String(repeating: "é", count: 30_000), details: [.init(typeName: "a.B", value: [1])])
    let trailer = trailer(status)
    #expect(trailer["grpc-status"] == "10")
    #expect(trailer["grpc-status-details-bin"] == nil)
    #expect(trailer.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } < 16 << 10)
  }

  @Test("a hint when to try again is told in gRPC's words as well, and handlers set no field of gRPC's own")
  func reserved() throws {
    let metadata: Metadata = ["retry-after-ms": "50", "grpc-status": "0", "content-type": "x"]
    let trailer = trailer(Status(.resourceExhausted, metadata: metadata))
    #expect(trailer["grpc-status"] == "8")
    #expect(trailer["grpc-retry-pushback-ms"] == "50")
    #expect(trailer["content-type"] == nil)
  }

  private func trailer(_ status: Status) -> [String: String] {
    Dictionary(GRPCStatus.headers(status).map { ($0.name, $0.value) }) { first, _ in first }
  }
}
