import Base
import Face
import HTTPFace
import InteropContract
import RPC
import Testing
import Wire

/// The bound of what answers take together while their callers do not read them.
@Suite(.timeLimit(.minutes(1))) struct UnreadAnswerTests {
  private func isRefused(_ answer: inout UnreadAnswer, _ count: Int) -> Bool {
    do throws(Status) {
      try answer.hold(count)
      return false
    } catch {
      return error.code == .resourceExhausted && error.message.hasPrefix("no_room_for_answer: ")
    }
  }

  @Test("nobody has more unread than is free, over however many calls, and what was read counts no longer")
  func shares() throws {
    let room = GatheringRoom(unread: 9 << 20)
    do {
      var first = UnreadAnswer(in: room, of: "a")
      var second = UnreadAnswer(in: room, of: "a")
      var other = UnreadAnswer(in: room, of: "b")
      try first.hold(GatheringRoom.uncounted)
      #expect(room.unread == 0, "a short answer is not counted")
      try first.hold(4 << 20)
      #expect(isRefused(&second, 2 << 20), "a caller's answers count together")
      try other.hold(2 << 20)
      #expect(room.unread == 6 << 20)
      first.shrink(to: 1 << 20)
      first.shrink(to: 8 << 20)
      try second.hold(2 << 20)
      #expect(room.unread == 5 << 20 && room.taken == 0)
      try second.hold(ByteQueue.piece + 1)
      #expect(room.unread == 3 << 20 + 2 * ByteQueue.piece, "an answer is counted in whole pieces")
    }
    #expect(room.unread == 0, "calls that are over have given it back")
  }

  private func body(_ type: String, size: UInt32 = 300_000) throws -> [UInt8] {
    let request = UnaryCallRequest(responseSize: size)
    let message = try type.hasSuffix("json") ? request.json() : request.encoded()
    guard type.hasPrefix("application/grpc") else { return message }
    var bytes: [UInt8] = []
    PrefixedFrame(payload: message).append(to: &bytes)
    return bytes
  }

  /// Makes a call and reads nothing of its answer.
  private func unread(_ head: RequestHead, _ bytes: [UInt8], on bench: HTTPBench) async -> any Exchange {
    let exchange = bench.desk.open(head)
    #expect(exchange.take(bytes[...]) == bytes.count)
    exchange.endBody()
    while exchange.response == nil { await bench.news() }
    return exchange
  }

  @Test(
    "beside answers that their caller does not read there is no room for a further one, until they are read",
    arguments: ["application/proto", "application/json", "application/grpc-web+proto"])
  func answers(type: String) async throws {
    // One caller gets half of it. JSON is counted beside the message that it is made from.
    let room = GatheringRoom(unread: type.hasSuffix("json") ? 1_500_000 : 700_000)
    let bench = try HTTPBench(room: room)
    let head = HTTPBench.call("UnaryCall", type)
    let bytes = try body(type)
    let first = await unread(head, bytes, on: bench)
    #expect(first.response?.status == 200)
    while bench.doorway.openCalls > 0 { await bench.news() }
    #expect(room.unread > 290_000)
    let (refusal, said) = await bench.answer(head, bytes)
    let text = refusal.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + said.text
    #expect(text.contains("no_room_for_answer") && text.contains("1000"), "\(text.prefix(1000))")
    #expect(refusal.status == (type.hasPrefix("application/grpc") ? 200 : 429))
    #expect(bench.finished.last?.code == .resourceExhausted, "the log and metrics have what the caller got")
    first.close(wasComplete: true)
    #expect(room.unread == 0)
    let (later, answer) = await bench.answer(head, bytes)
    #expect(later.status == 200 && answer.count > 300_000)
    #expect(room.unread == 0)
  }

  @Test("what the socket has taken of a stream counts no longer")
  func readInParts() async throws {
    let room = GatheringRoom()
    let bench = try HTTPBench(room: room)
    let type = "application/grpc-web+proto"
    let exchange = await unread(HTTPBench.call("UnaryCall", type), try body(type), on: bench)
    while bench.doorway.openCalls > 0 { await bench.news() }
    let whole = room.unread
    guard case .bytes(let part) = exchange.nextBytes(100_000) else {
      Issue.record("there is nothing to read")
      return
    }
    // What remains has the frame's head and the trailers as well, and is counted in whole pieces.
    #expect(part.count == 100_000 && room.unread < whole - part.count + 2 * ByteQueue.piece)
    exchange.close(wasComplete: false)
    #expect(room.unread == 0)
  }

  @Test(
    "a message that finds room as it came from the service and none as JSON is not sent, however it is converted",
    arguments: [(size: UInt32(14_000), limit: 20_000), (size: UInt32(300_000), limit: 400_000)])
  func growth(size: UInt32, limit: Int) async throws {
    let room = GatheringRoom(unread: limit)
    let bench = try HTTPBench(room: room)
    let type = "application/grpc-web+json"
    let (_, said) = await bench.answer(HTTPBench.call("UnaryCall", type), try body(type, size: size))
    #expect(try said.frames().map(\.flags) == [PrefixedFrame.webTrailers])
    #expect(said.text.contains("no_room_for_answer"), "\(said.text.prefix(1000))")
    #expect(bench.finished.last?.code == .resourceExhausted)
    #expect(room.unread == 0)
  }

  @Test("a response that the server has copied is not kept a second time")
  func copied() async throws {
    let bench = try HTTPBench()
    let type = "application/proto"
    let exchange = await unread(HTTPBench.call("UnaryCall", type), try body(type), on: bench)
    exchange.forgetBody()
    guard case .bytes(let bytes) = try #require(exchange.response).body else {
      Issue.record("the response has become a stream")
      return
    }
    #expect(bytes.isEmpty && exchange.response?.status == 200)
    exchange.close(wasComplete: true)
    #expect(bench.finished.last?.bytesOut ?? 0 > 300_000)
  }
}
