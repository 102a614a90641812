import Base
internal import Bus
import Face
import HTTPFace
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// Connect over HTTP, without a socket.
@Suite(.timeLimit(.minutes(1))) struct ConnectCallTests {
  @Test("a unary call in JSON is answered in JSON")
  func unaryJSON() async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/json; charset=utf-8"), HTTPBench.json(#"{"responseSize": 3}"#))
    #expect(response.status == 200)
    #expect(response["content-type"] == "application/json")
    #expect(response["cache-control"] == "no-store")
    #expect(body.text == #"{"payload":{"body":"AAAA"},"instance":"one"}"#)
  }

  @Test("a unary call in protobuf passes through as it is")
  func unaryProto() async throws {
    let bench = try HTTPBench()
    var request = UnaryCallRequest()
    request.responseSize = 5
    let (response, body) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/proto"), try request.encoded(), pieces: 1)
    #expect(response.status == 200)
    #expect(try UnaryCallResponse(decoding: body).payload?.body.count == 5)
  }

  @Test("a large message is converted off the thread, in both directions", arguments: [20_000, 3_000_000])
  func large(count: Int) async throws {
    let bench = try HTTPBench()
    var request = UnaryCallRequest()
    request.responseSize = UInt32(count)
    request.payload = Payload(body: [UInt8](repeating: 1, count: count))
    let (response, body) = await bench.answer(HTTPBench.call("UnaryCall", "application/json"), try request.json())
    #expect(response.status == 200)
    #expect(try UnaryCallResponse(json: body).payload?.body.count == count)
  }

  @Test(
    "a call keeps its place among open ones until its answer is converted, or nobody waits for it",
    arguments: [true, false])
  func place(waits: Bool) async throws {
    let bench = try HTTPBench()
    let places = bench.doorway.gatekeeper.openCalls
    let exchange = bench.desk.open(HTTPBench.call("UnaryCall", "application/json"))
    let request = HTTPBench.json(#"{"responseSize": 3000000}"#)
    #expect(exchange.take(request[...]) == request.count)
    exchange.endBody()
    // The turn that takes the answer does not convert it.
    while bench.doorway.openCalls > 0 { await bench.news() }
    #expect(exchange.response == nil && places.count == 1)
    if waits {
      while exchange.response == nil { await bench.news() }
      #expect(places.count == 0)
    }
    exchange.close(wasComplete: waits)
    #expect(places.count == 0)
  }

  @Test("gzip is taken and given")
  func gzip() async throws {
    let bench = try HTTPBench()
    let request = Gzip.compress(HTTPBench.json(#"{"responseSize": 50000}"#))
    let (response, body) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/json", [("Content-Encoding", "gzip"), ("Accept-Encoding", "br, gzip")]),
      request)
    #expect(response["content-encoding"] == "gzip")
    let plain = try Gzip.decompress(body, limit: 1 << 20)
    #expect(try UnaryCallResponse(json: plain).payload?.body.count == 50_000)
  }

  @Test(
    "a status becomes Connect's error",
    arguments: [
      (3, "invalid_argument", 400), (5, "not_found", 404), (9, "failed_precondition", 400), (1, "canceled", 499),
      (14, "unavailable", 503), (16, "unauthenticated", 401), (7, "permission_denied", 403),
      (4, "deadline_exceeded", 504),
      (12, "unimplemented", 501), (6, "already_exists", 409), (10, "aborted", 409), (11, "out_of_range", 400),
      (13, "internal", 500), (15, "data_loss", 500), (2, "unknown", 500), (8, "resource_exhausted", 429),
    ])
  func statuses(code: Int, word: String, http: Int) async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/json"),
      HTTPBench.json(#"{"responseStatus": {"code": \#(code), "message": "no \"way\""}}"#))
    #expect(response.status == http)
    #expect(response["content-type"] == "application/json")
    #expect(body.text == #"{"code":"\#(word)","message":"no \"way\""}"#)
  }

  @Test("metadata goes in as headers, and comes out as headers and trailers")
  func metadata() async throws {
    let bench = try HTTPBench()
    let (response, _) = await bench.answer(
      HTTPBench.call(
        "EmptyCall", "application/proto", [("assent-echo-initial", "hello"), ("assent-echo-trailing-bin", "AAEC")]))
    #expect(response.status == 200)
    #expect(response["assent-echo-initial"] == "hello")
    #expect(response["trailer-assent-echo-trailing-bin"] == "AAEC")
  }

  @Test("a handler sets no header that browsers and caches obey", arguments: [0, 5])
  func foreignHeaders(code: Int) async throws {
    let metadata: Metadata = [
      "set-cookie": "__Host-assent=x", "cache-control": "public", "content-type": "text/html",
      "access-control-allow-origin": "*", "clear-site-data": "*", "x-own": "1",
    ]
    let bench = try HTTPBench { context in
      context.setInitialMetadata(metadata)
      context.setTrailingMetadata(metadata)
    }
    for type in ["application/json", "application/connect+json", "application/grpc-web+json"] {
      var request = HTTPBench.json(#"{"responseStatus": {"code": \#(code)}}"#)
      if type != "application/json" {
        let message = request
        request = []
        PrefixedFrame(payload: message).append(to: &request)
      }
      let method = type == "application/connect+json" ? "StreamingOutputCall" : "UnaryCall"
      let (response, body) = await bench.answer(HTTPBench.call(method, type), request)
      let said = response.headers.map(\.name).joined(separator: " ") + body.text
      #expect(said.contains("x-own"), "\(type): \(said)")
      let values = response.headers.filter { ["content-type", "cache-control"].contains($0.name) }.map(\.value)
      #expect(Set(values) == [type, "no-store"] && values.count == 2, "\(response.headers)")
      for name in metadata.entries.map(\.key) where name != "x-own" {
        #expect(response["trailer-\(name)"] == nil && !body.text.contains(name), "\(type): \(name)")
      }
      #expect(response["set-cookie"] == nil && response["clear-site-data"] == nil, "\(type)")
      #expect(response["access-control-allow-origin"] == nil, "\(type)")
    }
  }

  @Test("a timeout of the caller ends the call")
  func timeout() async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/json", [("Connect-Timeout-Ms", "50")]),
      HTTPBench.json(#"{"sleepMs": 20000}"#))
    #expect(response.status == 504)
    #expect(body.text.contains(#""code":"deadline_exceeded""#))
  }

  @Test("a caller that goes cancels its call")
  func disconnect() async throws {
    let bench = try HTTPBench()
    let exchange = bench.desk.open(HTTPBench.call("UnaryCall", "application/json"))
    let request = HTTPBench.json(#"{"sleepMs": 20000}"#)
    #expect(exchange.take(request[...]) == request.count)
    exchange.endBody()
    #expect(bench.doorway.openCalls == 1)
    exchange.close(wasComplete: false)
    #expect(bench.doorway.openCalls == 0)
    #expect(bench.finished.map(\.httpStatus) == [499])
  }

  @Test("a stream of answers ends with its end", arguments: ["json", "proto"])
  func serverStream(codec: String) async throws {
    let bench = try HTTPBench()
    var request = StreamingOutputCallRequest()
    request.responseParameters = [10, 100_000, 0, 40_000, 7].map { ResponseParameters(size: $0) }
    var body: [UInt8] = []
    let message = codec == "json" ? try request.json() : try request.encoded()
    PrefixedFrame(payload: message).append(to: &body)
    let (response, bytes) = await bench.answer(
      HTTPBench.call("StreamingOutputCall", "application/connect+\(codec)"), body, pieces: 3)
    #expect(response.status == 200)
    #expect(response["content-type"] == "application/connect+\(codec)")
    let frames = try bytes.frames()
    let sizes = try frames.dropLast().map { frame in
      let answer =
        codec == "json"
        ? try StreamingOutputCallResponse(json: frame.payload)
        : try StreamingOutputCallResponse(decoding: frame.payload)
      return answer.payload?.body.count ?? 0
    }
    #expect(sizes == [10, 100_000, 0, 40_000, 7])
    #expect(frames.last?.flags == PrefixedFrame.connectEnd)
    #expect(frames.last?.payload.text == "{}")
  }

  @Test("a stream that fails says so in its end, behind what came before")
  func failedStream() async throws {
    let bench = try HTTPBench()
    var body: [UInt8] = []
    let request = #"{"responseParameters": [{"size": 1}], "responseStatus": {"code": 9, "message": "enough"}}"#
    PrefixedFrame(payload: HTTPBench.json(request)).append(to: &body)
    let (response, bytes) = await bench.answer(
      HTTPBench.call("StreamingOutputCall", "application/connect+json", [("assent-echo-initial", "a")]), body)
    #expect(response.status == 200)
    #expect(response["assent-echo-initial"] == "a")
    let frames = try bytes.frames()
    #expect(frames.count == 2)
    #expect(frames.last?.payload.text == #"{"error":{"code":"failed_precondition","message":"enough"}}"#)
  }

  @Test("a stream of requests is summed up", arguments: ["json", "proto"])
  func clientStream(codec: String) async throws {
    let bench = try HTTPBench()
    var body: [UInt8] = []
    for count in [1, 50_000, 0, 200_000] {
      let request = StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 2, count: count)))
      PrefixedFrame(payload: codec == "json" ? try request.json() : try request.encoded()).append(to: &body)
    }
    let (response, bytes) = await bench.answer(
      HTTPBench.call("StreamingInputCall", "application/connect+\(codec)"), body)
    #expect(response.status == 200)
    let frames = try bytes.frames()
    #expect(frames.count == 2)
    let first = frames.first?.payload ?? []
    let answer =
      codec == "json" ? try StreamingInputCallResponse(json: first) : try StreamingInputCallResponse(decoding: first)
    #expect(answer.aggregatedPayloadSize == 250_001)
  }

  @Test("a stream that is open ends once the device of its key is wiped, and no other call begins")
  func wipedDevice() async throws {
    let bench = try HTTPBench()
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 1, intervalUs: 20_000), count: 1400)
    var body: [UInt8] = []
    PrefixedFrame(payload: try request.encoded()).append(to: &body)
    let exchange = bench.desk.open(HTTPBench.call("StreamingOutputCall", "application/connect+proto"))
    defer { exchange.close(wasComplete: true) }
    #expect(exchange.take(body[...]) == body.count)
    exchange.endBody()
    while exchange.response == nil { await bench.news() }
    #expect(bench.closed.wipe("kiosk", of: "acme"))
    var bytes: [UInt8] = []
    func turn() -> Bool {
      bench.doorway.deliver()
      // As the door does in each turn of its thread.
      _ = bench.doorway.review(at: bench.doorway.port.now)
      while true {
        switch exchange.nextBytes(1 << 20) {
        case .bytes(let part): bytes += part
        case .wait: return false
        case .end, .broken: return true
        }
      }
    }
    try await eventually("the stream ends", turn())
    #expect(bytes.text.contains("device_wiped: "))
    let (refused, said) = await bench.answer(HTTPBench.call("EmptyCall", "application/json"), HTTPBench.json("{}"))
    #expect(refused.status == 401 && said.text.contains("device_wiped: "))
  }

  @Test("a reader that stops, stops the stream; what waits stays bounded")
  func slowReader() async throws {
    let room = GatheringRoom()
    let bench = try HTTPBench(room: room)
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 10_000), count: 500)
    var body: [UInt8] = []
    PrefixedFrame(payload: try request.encoded()).append(to: &body)
    let exchange = bench.desk.open(HTTPBench.call("StreamingOutputCall", "application/connect+proto"))
    defer { exchange.close(wasComplete: true) }
    #expect(exchange.take(body[...]) == body.count)
    exchange.endBody()
    func kept() -> Int {
      bench.doorway.deliver()
      return room.unread
    }
    try await eventually("a window and a message have come", kept()) { $0 > 4 * ByteQueue.piece }
    for _ in 0..<5 { _ = await bench.answer(HTTPBench.call("EmptyCall", "application/json"), HTTPBench.json("{}")) }
    var count = 0
    while case .bytes(let bytes) = exchange.nextBytes(1 << 20) { count += bytes.count }
    #expect(count < 100_000, "no more than a window and a message have come")
    #expect(count > 50_000)
  }
}
