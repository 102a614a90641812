internal import Bus
import Face
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// The bound of what answers take together while their callers do not read them, at the door of gRPC.
@Suite(.serialized, .timeLimit(.minutes(1))) struct UnreadAnswerTests {
  @Test("beside an answer that its caller does not read there is no room for a further one, until it is given up")
  func answers() async throws {
    let room = GatheringRoom(unread: 400_000)
    let bench = try await DoorBench.start(room: room)
    let call = "\(DoorClient.interop)/UnaryCall"
    let request = try UnaryCallRequest(responseSize: 300_000).encoded()
    // A window of nothing: no byte of an answer may be sent.
    let client = try bench.client(settings: [(id: 4, value: 0)])
    let first = client.open(call)
    client.body(first, [request])
    try await eventually("the answer waits", room.unread) { $0 >= 290_000 }
    // Another connection of the same caller.
    let other = try bench.client()
    let refusal = other.unary(call, request)
    #expect(refusal.status == "\(StatusCode.resourceExhausted.rawValue)", "\(refusal.status ?? "none")")
    #expect(refusal.message?.contains("no_room_for_answer") == true, "\(refusal.message ?? "none")")
    let short = try UnaryCallRequest(responseSize: 1000).encoded()
    #expect(other.unary(call, short).status == "0", "a short answer finds room")
    client.send([HTTP2Frame(.reset, stream: first, HTTP2Frame.word(8))])
    try await eventually("the answer is given up", room.unread) { $0 == 0 }
    #expect(try bench.client(host: 2).unary(call, short).status == "0")
    try await bench.server.stop()
  }
}
