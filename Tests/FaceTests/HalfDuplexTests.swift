import Base
import Face
import HTTPFace
import InteropContract
import RPC
import Testing
import Wire

/// Streams in both directions for clients that send a whole body before they read, such as `fetch` over HTTP/1.1.
@Suite(.timeLimit(.minutes(1))) struct HalfDuplexTests {
  private static func body(_ sizes: [Int]) throws -> [UInt8] {
    var body: [UInt8] = []
    for size in sizes {
      let request = StreamingOutputCallRequest(responseParameters: [ResponseParameters(size: UInt32(size))])
      PrefixedFrame(payload: try request.json()).append(to: &body)
    }
    return body
  }

  private static let call = HTTPBench.call("FullDuplexCall", "application/connect+json")

  @Test("each request of the body has its answer, however the body comes in", arguments: [1, 7, 100_000])
  func answers(pieces: Int) async throws {
    let bench = try HTTPBench()
    // More answers than a window holds, before any is read.
    let sizes = (0..<200).map { $0 * 100 }
    let (response, bytes) = await bench.answer(Self.call, try Self.body(sizes), pieces: pieces)
    #expect(response.status == 200 && response["content-type"] == "application/connect+json")
    let frames = try bytes.frames()
    #expect(frames.last?.payload.text == "{}" && frames.count == sizes.count + 1)
    let answers = try frames.dropLast().map { try StreamingOutputCallResponse(json: $0.payload) }
    #expect(answers.map { $0.payload?.body.count ?? 0 } == sizes)
  }

  @Test("a body that ends inside a message is refused, and one without a message has no answers")
  func ends() async throws {
    let bench = try HTTPBench()
    let (_, cut) = await bench.answer(Self.call, try Self.body([1, 2]).dropLast())
    #expect(try cut.frames().last?.payload.text.contains("cut_short") == true)
    let (_, none) = await bench.answer(Self.call, [])
    #expect(try none.frames().map(\.payload.text) == ["{}"])
  }

  @Test("a body that is longer than any message is refused")
  func tooLong() async throws {
    var limits = DoorLimits()
    limits.largestMessage = 1_000
    let bench = try HTTPBench(limits: limits)
    let (_, bytes) = await bench.answer(Self.call, try Self.body([Int](repeating: 1, count: 100)))
    #expect(try bytes.frames().last?.payload.text.contains("message_too_large") == true)
  }
}
