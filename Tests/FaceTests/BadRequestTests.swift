import Base
import Face
import HTTPFace
import RPC
import TestSupport
import Testing

/// What the HTTP door answers to requests that are wrong: a table, walked without a socket.
@Suite(.timeLimit(.minutes(1))) struct BadRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var what: String
    var method = "POST"
    var target = "/assent.interop.v1.InteropService/UnaryCall"
    var headers: [(String, String)] = [("content-type", "application/json")]
    var hasKey = true
    var body = "{}"
    var status: Int
    /// What the answer has to say, in its body or its headers.
    var says: String

    var testDescription: String { what }
  }

  static let rows: [Row] = [
    Row(
      what: "two lengths",
      headers: [("content-type", "application/json"), ("content-length", "2"), ("content-length", "3")], status: 400,
      says: "at most once"),
    Row(
      what: "two hosts", headers: [("content-type", "application/json"), ("host", "a"), ("host", "b")], status: 400,
      says: "at most once"),
    Row(
      what: "a header that would take long to compare",
      headers: [("content-type", "application/json"), ("x-name", String(repeating: "\u{301}", count: 31))],
      status: 400, says: "at most 30 combining marks"),
    Row(
      what: "a path that would take long to compare", target: "/" + String(repeating: "\u{301}", count: 31),
      status: 400, says: "at most 30 combining marks"),
    Row(what: "no key", hasKey: false, status: 401, says: "credential_missing"),
    Row(
      what: "a wrong key", headers: [("content-type", "application/json"), ("authorization", "Bearer ak_x")],
      hasKey: false, status: 401, says: "credential_unknown"),
    Row(
      what: "a token of no known form",
      headers: [("content-type", "application/json"), ("authorization", "Bearer eyJ")], hasKey: false, status: 401,
      says: "credential_unknown"),
    Row(
      what: "another scheme", headers: [("content-type", "application/json"), ("authorization", "Basic eyJ")],
      hasKey: false, status: 401, says: "must be 'Bearer'"),
    Row(
      what: "a role that is not admitted", target: "/assent.gateway.v1.GatewayService/ListInstances", status: 403,
      says: "not_admitted"),
    Row(
      what: "an unknown method", target: "/assent.interop.v1.InteropService/UnaryCal", status: 404,
      says: "did you mean 'UnaryCall'?"),
    Row(what: "no method", target: "/favicon.ico", status: 404, says: "unknown_method"),
    Row(what: "GET", method: "GET", status: 405, says: "POST, OPTIONS"),
    Row(what: "PUT", method: "PUT", status: 405, says: "POST, OPTIONS"),
    Row(what: "no content type", headers: [], status: 415, says: "application/connect+json"),
    Row(what: "a form", headers: [("content-type", "application/x-www-form-urlencoded")], status: 415, says: "accept"),
    Row(what: "gRPC", headers: [("content-type", "application/grpc")], status: 505, says: "HTTP/2"),
    Row(
      what: "another charset", headers: [("content-type", "application/json; charset=latin1")], status: 415,
      says: "application/json"),
    Row(
      what: "a stream as unary", target: "/assent.interop.v1.InteropService/StreamingOutputCall", status: 415,
      says: "application/connect+json"),
    Row(
      what: "unary as a stream", headers: [("content-type", "application/connect+json")], status: 415,
      says: "application/json"),
    Row(what: "no JSON", body: "{", status: 400, says: "line 1, column 2"),
    Row(what: "an empty body", body: "", status: 400, says: "bad_json"),
    Row(what: "an unknown field", body: #"{"responseSiez": 1}"#, status: 400, says: "responseSiez"),
    Row(what: "a wrong type", body: #"{"responseSize": "many"}"#, status: 400, says: "responseSize"),
    Row(what: "behind the end", body: "{} {}", status: 400, says: "column 4"),
    Row(
      what: "a timeout of letters", headers: [("content-type", "application/json"), ("connect-timeout-ms", "soon")],
      status: 400, says: "bad_timeout"),
    Row(
      what: "an absurd timeout",
      headers: [("content-type", "application/json"), ("connect-timeout-ms", "99999999999")],
      status: 400, says: "bad_timeout"),
    Row(
      what: "an unknown version", headers: [("content-type", "application/json"), ("connect-protocol-version", "2")],
      status: 400, says: "bad_version"),
    Row(
      what: "an unknown coding", headers: [("content-type", "application/json"), ("content-encoding", "br")],
      status: 501, says: "use gzip or identity"),
    Row(
      what: "no gzip", headers: [("content-type", "application/json"), ("content-encoding", "gzip")], body: "{}",
      status: 400, says: "bad_gzip"),
    Row(
      what: "binary metadata that is none", headers: [("content-type", "application/json"), ("x-bin", "no base64!")],
      status: 400, says: "bad_metadata"),
    Row(
      what: "a body that says that it is too long",
      headers: [("content-type", "application/json"), ("content-length", "1001")], status: 400,
      says: "message_too_large"),
    Row(
      what: "a body that is too long", body: String(repeating: " ", count: 1_001), status: 400,
      says: "message_too_large"),
    Row(
      what: "a cookie from another page",
      headers: [("content-type", "application/json"), ("cookie", "__Host-assent=bp1.a"), ("origin", "https://evil")],
      hasKey: false, status: 403, says: "foreign_page"),
    Row(
      what: "a cookie without an origin",
      headers: [("content-type", "application/json"), ("cookie", "__Host-assent=bp1.a")],
      hasKey: false, status: 403, says: "foreign_page"),
  ]

  /// The beginning of a status's details in JSON.
  private static let info = #""details":[{"type":"assent.common.v1.ErrorInfo","value":"#
  private static let shown = #"","debug":{"rule":""#

  @Test("each is answered with its status and a reason", arguments: rows)
  func table(row: Row) async throws {
    var limits = DoorLimits()
    limits.largestMessage = 1_000
    let bench = try HTTPBench(limits: limits)
    let key = row.hasKey ? [("authorization", "Bearer \(HTTPBench.key)")] : []
    let (response, body) = await bench.answer(
      HTTPBench.head(row.method, row.target, row.headers + key), HTTPBench.json(row.body))
    #expect(response.status == row.status, "\(body.text)")
    let all = body.text + response.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    #expect(all.contains(row.says), "\(all)")
    if body.text.hasPrefix("{") {
      #expect(body.text.contains(Self.info) && body.text.contains(Self.shown), "programs read the rule: \(body.text)")
    }
    #expect(response["x-content-type-options"] == "nosniff")
    #expect(response["cache-control"] == "no-store")
    #expect(bench.doorway.openCalls == 0)
    // Whether there was a call or not, it is in the log and in metrics, once.
    let record = try #require(bench.finished.first)
    #expect(bench.finished.count == 1 && record.httpStatus == row.status && record.code != .ok, "\(record)")
  }

  @Test("what is refused is told without what opens a file or names a document, and pages are no refusals")
  func records() async throws {
    let bench = try HTTPBench()
    let secret = String(repeating: "s", count: 300)
    for (method, target) in [
      ("GET", "/downloads/\(secret)"), ("POST", "/Downloads/\(secret)"), ("POST", "/verify/\(secret)"),
      ("GET", "/\(secret)?\(secret)"), ("GET", "/"), ("GET", "/proto"),
      ("OPTIONS", "/assent.interop.v1.InteropService/UnaryCall"),
    ] {
      _ = await bench.answer(HTTPBench.head(method, target), [1, 2, 3])
    }
    let records = bench.finished
    #expect(records.map(\.path) == ["/downloads/", "/downloads/", "/verify/", "/" + secret.prefix(255)])
    #expect(records.map(\.form) == [.download, .other, .page, .other])
    #expect(records.map(\.httpStatus) == [404, 404, 405, 404])
    #expect(records.map(\.code) == [.notFound, .notFound, .unimplemented, .notFound])
    #expect(records.allSatisfy { !$0.isTimed && $0.bytesIn == 3 && $0.address == "192.0.2.7" })
    let unframed = await bench.answer(
      HTTPBench.head("POST", "/assent.interop.v1.InteropService/Nothing", [("content-type", "application/grpc-web")]))
    #expect(unframed.response.status == 200, "gRPC-Web says it in its trailers")
    #expect(bench.finished.last?.code == .unimplemented && bench.finished.last?.form == .grpcWeb)
  }

  @Test(
    "frames that are wrong are refused in the stream's end",
    arguments: [
      ([0, 0, 0, 0], "cut_short"), ([], "none came"), ([0, 255, 255, 255, 255], "message_too_large"),
      ([8, 0, 0, 0, 0], "bad_frame"), ([1, 0, 0, 0, 0], "bad_frame"), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "one_message"),
    ] as [([UInt8], String)])
  func frames(body: [UInt8], says: String) async throws {
    let bench = try HTTPBench()
    let (response, bytes) = await bench.answer(
      HTTPBench.call("StreamingOutputCall", "application/connect+proto"), body, pieces: 1)
    #expect(response.status == 200)
    let end = try #require(try bytes.frames().last)
    #expect(end.flags == PrefixedFrame.connectEnd)
    #expect(end.payload.text.contains(says), "\(end.payload.text)")
    #expect(end.payload.text.contains(Self.info))
    #expect(end.payload.text.contains(Self.shown), "and those who decode no protobuf read it, too")
  }

  @Test("a page of an admitted origin may ask and read, and no other", arguments: [true, false])
  func crossOrigin(isAdmitted: Bool) async throws {
    let bench = try HTTPBench()
    let origin = isAdmitted ? HTTPBench.origin : "https://evil.example"
    let (preflight, _) = await bench.answer(
      HTTPBench.head(
        "OPTIONS", "/assent.interop.v1.InteropService/EmptyCall",
        [
          ("origin", origin), ("access-control-request-method", "POST"),
          ("access-control-request-headers", "content-type, x-mine, ünsound"),
        ]))
    #expect(preflight.status == 204)
    #expect(preflight["access-control-allow-headers"] == (isAdmitted ? "content-type, x-mine" : nil))
    let (response, _) = await bench.answer(
      HTTPBench.call(
        "EmptyCall", "application/proto", [("origin", origin), ("assent-echo-initial", "a")]))
    #expect(response.status == 200)
    #expect(response["access-control-allow-origin"] == (isAdmitted ? origin : nil))
    #expect(response["access-control-expose-headers"] == (isAdmitted ? "assent-echo-initial" : nil))
    #expect(response["vary"] == "Origin")
  }

  @Test(
    "a key with scopes is good for them only",
    arguments: [
      (["assent.interop.v1.InteropService/*"], 200), (["assent.interop.v1.InteropService/EmptyCall"], 200),
      (["assent.interop.v1.InteropService/UnaryCall"], 403), (["assent.interop.v1.Interop/*"], 403),
    ])
  func scopes(scopes: [String], status: Int) async throws {
    let bench = try HTTPBench(scopes: scopes)
    let (response, _) = await bench.answer(HTTPBench.call("EmptyCall", "application/proto"))
    #expect(response.status == status)
  }

  @Test("too many calls are told when to come again, each key and each address by itself")
  func rates() async throws {
    let bench = try HTTPBench(rates: .init(perCredential: 3, perAddress: 2), clock: SteppedClock().clock)
    var statuses: [Int] = []
    for _ in 0..<4 {
      let (response, _) = await bench.answer(HTTPBench.call("EmptyCall", "application/proto"))
      statuses.append(response.status)
      if response.status == 429 {
        #expect(response["retry-after"] == "1")
      } else {
        #expect(response["ratelimit-policy"] == "\"calls\";q=3;w=1")
      }
    }
    #expect(statuses == [200, 200, 200, 429])
    var strangers: [Int] = []
    for _ in 0..<3 {
      let head = HTTPBench.head(
        "POST", "/assent.interop.v1.InteropService/EmptyCall",
        [("content-type", "application/proto"), ("authorization", "Bearer ak_guess")])
      strangers.append(await bench.answer(head).response.status)
    }
    #expect(strangers == [401, 401, 429])
  }
}
