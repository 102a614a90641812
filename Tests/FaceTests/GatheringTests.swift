import Face
import HTTPFace
import InteropContract
import RPC
import Synchronization
import Testing
import Wire

/// The bound of what requests take together while they arrive.
@Suite(.timeLimit(.minutes(1))) struct GatheringTests {
  private func isRefused(_ gathering: inout Gathering, _ kept: Int, missing: Int = 0) -> Bool {
    do throws(Status) {
      try gathering.hold(kept, missing: missing)
      return false
    } catch {
      return error.code == .resourceExhausted && error.message.hasPrefix("no_room: ")
        && error.metadata["retry-after-ms"] != nil
    }
  }

  @Test("nobody holds more than is free, over however many calls, and what was let in has room to its end")
  func shares() throws {
    let room = GatheringRoom(short: 1 << 20, long: 8 << 20)
    var first = Gathering(in: room, of: "a")
    var second = Gathering(in: room, of: "a")
    try first.hold(100, missing: 30 << 20)
    #expect(room.taken == 0, "a claim alone takes nothing")
    try first.hold(GatheringRoom.short + 1, missing: 4 << 20)
    let whole = room.taken
    #expect(whole > 4 << 20)
    #expect(isRefused(&second, 100_000, missing: 1 << 20), "a caller's calls count together")
    var other = Gathering(in: room, of: "b")
    try other.hold(GatheringRoom.short, missing: 1 << 20)
    try other.hold(1 << 20)
    #expect(isRefused(&other, 1 << 20, missing: 4 << 20))
    try first.hold(4 << 20)
    try second.hold(50_000)
    first.release()
    try second.hold(4 << 20)
    #expect(room.taken == 5 << 20 - 2 * GatheringRoom.uncounted)
  }

  @Test("a length that no memory has is refused, whatever its caller holds already")
  func endless() throws {
    let room = GatheringRoom()
    var gathering = Gathering(in: room, of: "a")
    try gathering.hold(GatheringRoom.short + 1, missing: 1 << 20)
    for count in [Int.max, Int.max - GatheringRoom.short] {
      #expect(throws: Status.self) { try room.check(count, of: "a") }
    }
  }

  @Test("a short message finds room while long ones take all of theirs, and a call gives back what it held")
  func short() throws {
    let room = GatheringRoom(short: 1 << 20, long: 1 << 20)
    do {
      var calls: [(holder: String, count: Int)] = (0..<20).map { ("caller \($0)", GatheringRoom.short + 1 << 18) }
      calls.append(("one more", GatheringRoom.short))
      var held = 0
      for call in calls {
        var gathering = Gathering(in: room, of: call.holder)
        if !isRefused(&gathering, call.count) { held += 1 }
      }
      #expect(held == calls.count, "each was given back")
    }
    #expect(room.taken == 0)
    var long = Gathering(in: room, of: "a")
    try long.hold(GatheringRoom.short + 1 << 20)
    var second = Gathering(in: room, of: "b")
    #expect(isRefused(&second, GatheringRoom.short + 1 << 19))
    try second.hold(GatheringRoom.short)
  }

  private static let payload = [UInt8](repeating: 7, count: 300_000)

  struct Door: Sendable, CustomTestStringConvertible {
    let type: String
    let isFramed: Bool
    /// Whether the head says how long the body is.
    var statesLength = true

    var testDescription: String { "\(type)\(statesLength ? "" : ", without a length")" }
  }

  private func body(_ door: Door) throws -> [UInt8] {
    let message = try UnaryCallRequest(payload: Payload(body: Self.payload)).encoded()
    guard door.isFramed else { return message }
    var bytes: [UInt8] = []
    PrefixedFrame(payload: message).append(to: &bytes)
    return bytes
  }

  @Test(
    "over the bound a new body is told to come again, one that is under way goes on, and then there is room again",
    arguments: [
      Door(type: "application/proto", isFramed: false),
      Door(type: "application/proto", isFramed: false, statesLength: false),
      Door(type: "application/grpc-web+proto", isFramed: true),
      Door(type: "application/grpc-web+proto", isFramed: true, statesLength: false),
    ])
  func bodies(door: Door) async throws {
    let room = GatheringRoom(short: 1 << 20, long: 600_000)
    let bench = try HTTPBench(room: room)
    let bytes = try body(door)
    let length = door.statesLength ? [("content-length", "\(bytes.count)")] : []
    let head = HTTPBench.call("UnaryCall", door.type, length)
    let first = bench.desk.open(head)
    #expect(first.response == nil)
    #expect(first.take(bytes[..<200_000]) == 200_000)
    #expect(first.response == nil)
    let (refusal, said) = await bench.answer(head, bytes)
    if door.isFramed {
      let text = refusal.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + said.text
      #expect(text.contains("no_room"), "\(text)")
    } else {
      #expect(refusal.status == 429 && refusal["retry-after"] == "1")
      #expect(said.text.contains("\"code\":\"resource_exhausted\"") && said.text.contains("no_room"), "\(said.text)")
    }
    #expect(first.take(bytes[200_000...]) == bytes.count - 200_000)
    first.endBody()
    while first.response == nil { await bench.news() }
    #expect(first.response?.status == 200)
    first.close(wasComplete: true)
    #expect(room.taken == 0, "nothing is held for calls that are over")
    let (later, answer) = await bench.answer(head, bytes)
    #expect(later.status == 200 && !answer.text.contains("no_room"), "\(answer.text)")
    #expect(room.taken == 0)
  }

  @Test(
    "a stream may state more than there is room for: only what waits of it is counted",
    arguments: ["application/connect+proto", "application/grpc-web+proto"])
  func stream(type: String) async throws {
    let room = GatheringRoom(short: 1 << 20, long: 600_000)
    let bench = try HTTPBench(room: room)
    let message = try StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 7, count: 50_000))).encoded()
    var bytes: [UInt8] = []
    for _ in 0..<40 { PrefixedFrame(payload: message).append(to: &bytes) }
    let head = HTTPBench.call("StreamingInputCall", type, [("content-length", "\(bytes.count)")])
    let (response, body) = await bench.answer(head, bytes)
    #expect(response.status == 200)
    let frames = try body.frames()
    let first = try #require(frames.first)
    let sum = try StreamingInputCallResponse(decoding: first.payload)
    #expect(sum.aggregatedPayloadSize == 2_000_000)
    #expect(room.taken == 0)
  }

  @Test("a compressed request that finds no room once it is expanded has made no call")
  func expanded() async throws {
    let calls = Atomic(0)
    let room = GatheringRoom(short: 1 << 20, long: 40_000)
    let bench = try HTTPBench(room: room) { _ in calls.add(1, ordering: .relaxed) }
    let head = HTTPBench.call("UnaryCall", "application/proto", [("Content-Encoding", "gzip")])
    let message = try UnaryCallRequest(payload: Payload(body: Array(Self.payload.prefix(120_000)))).encoded()
    let (response, body) = await bench.answer(head, Gzip.compress(message))
    #expect(response.status == 429 && body.text.contains("no_room"), "\(body.text)")
    let (other, _) = await bench.answer(head, Gzip.compress([]))
    #expect(other.status == 200 && calls.load(ordering: .relaxed) == 1)
    #expect(room.taken == 0)
  }

  @Test("a batch counts like any other body")
  func batch() async throws {
    let room = GatheringRoom(short: 1 << 20, long: 100_000)
    let bench = try HTTPBench(room: room)
    let head = HTTPBench.head(
      "POST", "/assent.gateway.v1.GatewayService/Batch",
      [("Content-Type", "application/json"), ("Authorization", "Bearer \(HTTPBench.key)")])
    let (response, body) = await bench.answer(head, [UInt8](repeating: UInt8(ascii: " "), count: 200_000))
    #expect(response.status == 429 && body.text.contains("no_room"), "\(body.text)")
    #expect(room.taken == 0)
  }
}
