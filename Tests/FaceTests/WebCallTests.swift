import Base
import Face
import HTTPFace
import InteropContract
import RPC
import Testing
import Wire

/// gRPC-Web, without a socket.
@Suite(.timeLimit(.minutes(1))) struct WebCallTests {
  private func body(_ size: UInt32, status: EchoStatus? = nil) throws -> [UInt8] {
    var request = UnaryCallRequest()
    request.responseSize = size
    request.responseStatus = status
    var body: [UInt8] = []
    PrefixedFrame(payload: try request.encoded()).append(to: &body)
    return body
  }

  @Test("a unary call is answered by a message and trailers")
  func unary() async throws {
    let bench = try HTTPBench()
    let (response, bytes) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/grpc-web+proto", [("assent-echo-trailing-bin", "AAEC")]),
      try body(2_000))
    #expect(response.status == 200)
    let frames = try bytes.frames()
    #expect(frames.map(\.flags) == [0, PrefixedFrame.webTrailers])
    #expect(try UnaryCallResponse(decoding: frames[0].payload).payload?.body.count == 2_000)
    #expect(frames[1].payload.text == "grpc-status: 0\r\nassent-echo-trailing-bin: AAEC\r\n")
  }

  @Test("the text form is base64 in both directions", arguments: [1, 2, 3, 5, 1_000])
  func text(pieces: Int) async throws {
    let bench = try HTTPBench()
    let text = Array(Base64.encode(try body(2_000)).utf8)
    let (response, bytes) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/grpc-web-text"), text, pieces: pieces)
    #expect(response["content-type"] == "application/grpc-web-text")
    let frames = try decoded(bytes).frames()
    #expect(frames.count == 2)
    #expect(try UnaryCallResponse(decoding: frames[0].payload).payload?.body.count == 2_000)
  }

  /// The bytes in a text of which each piece is padded by itself.
  private func decoded(_ text: [UInt8]) throws -> [UInt8] {
    var decoded: [UInt8] = []
    var group: [UInt8] = []
    for byte in text {
      group.append(byte)
      if group.count == 4 {
        let bytes = Base64.decodeLeniently(group.span)
        decoded += try #require(bytes)
        group = []
      }
    }
    return decoded
  }

  @Test(
    "a stream in text form that is cut off inside its second message does not count as a whole one",
    arguments: [0, 1, 2, 3, 4, 8, 41], [false, true])
  func cutShort(rest: Int, isCompressed: Bool) async throws {
    let bench = try HTTPBench()
    let message = try StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 7, count: 1_000))).encoded()
    // A compressed message is expanded elsewhere, and what follows it waits meanwhile.
    let packed = PrefixedFrame(flags: PrefixedFrame.compressed, payload: Gzip.compress(message))
    let first = isCompressed ? packed : PrefixedFrame(payload: message)
    var (whole, cut): ([UInt8], [UInt8]) = ([], [])
    first.append(to: &whole)
    PrefixedFrame(payload: message).append(to: &cut)
    let text = Array(Base64.encode(whole).utf8) + Base64.encode(cut).utf8.prefix(rest)
    let (_, bytes) = await bench.answer(
      HTTPBench.call("StreamingInputCall", "application/grpc-web-text", [("grpc-encoding", "gzip")]), text,
      pieces: text.count)
    let trailers = try #require(try decoded(bytes).frames().last).payload.text
    #expect(trailers.hasPrefix(rest == 0 ? "grpc-status: 0\r\n" : "grpc-status: 3\r\n"), "\(trailers)")
    #expect(trailers.contains("cut_short") == (rest > 0))
  }

  @Test("messages are compressed where both sides can")
  func gzip() async throws {
    let bench = try HTTPBench()
    let plain = try body(5_000).frames()[0].payload
    var packed: [UInt8] = []
    PrefixedFrame(flags: 1, payload: Gzip.compress(plain)).append(to: &packed)
    let (response, bytes) = await bench.answer(
      HTTPBench.call(
        "UnaryCall", "application/grpc-web", [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "gzip")]),
      packed)
    #expect(response["grpc-encoding"] == "gzip")
    let frame = try #require(try bytes.frames().first)
    #expect(frame.flags == 1)
    let message = try Gzip.decompress(frame.payload, limit: 10_000)
    #expect(try UnaryCallResponse(decoding: message).payload?.body.count == 5_000)
  }

  @Test("over gRPC what is long is compressed for whoever accepts it, unless it is compressed already")
  func grpcGzip() async throws {
    let bench = try HTTPBench()
    func answer(_ size: UInt32, accepts: Bool = true) async throws -> (HTTPResponse, PrefixedFrame) {
      var head = HTTPBench.call("UnaryCall", "application/grpc", accepts ? [("grpc-accept-encoding", "gzip")] : [])
      head.isDuplex = true
      let (response, bytes) = await bench.answer(head, try body(size))
      return (response, try #require(try bytes.frames().first))
    }
    let (long, packed) = try await answer(100_000)
    #expect(long["grpc-encoding"] == "gzip" && packed.flags == PrefixedFrame.compressed)
    let message = try Gzip.decompress(packed.payload, limit: 200_000)
    #expect(try UnaryCallResponse(decoding: message).payload?.body.count == 100_000)
    for (size, accepts) in [(60_000, true), (100_000, false)] as [(UInt32, Bool)] {
      let (plain, frame) = try await answer(size, accepts: accepts)
      #expect(plain["grpc-encoding"] == nil && frame.flags == 0)
    }
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(Gzip.shrinks([UInt8](repeating: 0, count: 100_000)) && !Gzip.shrinks(noise))
  }

  @Test("a failure is in the trailers, percent-encoded")
  func failure() async throws {
    let bench = try HTTPBench()
    let (_, bytes) = await bench.answer(
      HTTPBench.call("UnaryCall", "application/grpc-web"), try body(0, status: EchoStatus(code: 5, message: "ä 100%")))
    let frames = try bytes.frames()
    #expect(frames.count == 1)
    #expect(frames[0].payload.text == "grpc-status: 5\r\ngrpc-message: %C3%A4 100%25\r\n")
  }

  @Test("a refusal stands in the headers")
  func refusal() async throws {
    let bench = try HTTPBench()
    let head = HTTPBench.head(
      "POST", "/assent.interop.v1.InteropService/UnaryCall", [("content-type", "application/grpc-web")])
    let (response, bytes) = await bench.answer(head, try body(0))
    #expect(response.status == 200)
    #expect(response["grpc-status"] == "16")
    #expect(bytes.isEmpty)
  }

  @Test("the status in binary form is google.rpc.Status")
  func details() throws {
    let status = Status(.notFound, "a", details: [.init(typeName: "x.Y", value: [1, 2])])
    let any: [UInt8] = [0x0A, 23] + Array("type.googleapis.com/x.Y".utf8) + [0x12, 2, 1, 2]
    #expect(StatusTrailers.encoded(status) == [0x08, 5, 0x12, 1, UInt8(ascii: "a"), 0x1A, UInt8(any.count)] + any)
  }
}
