import Base
internal import Bus
import Face
import HTTP2
import HTTPFace
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// The bound of what requests take together while they arrive, at the door of gRPC.
@Suite(.serialized, .timeLimit(.minutes(2))) struct GatheringTests {
  /// A message behind its prefix, in frames.
  private func frames(_ stream: Int32, _ message: [UInt8]) -> [HTTP2Frame] {
    var bytes: [UInt8] = []
    PrefixedFrame(payload: message).append(to: &bytes)
    return stride(from: 0, to: bytes.count, by: 16_000).map { start in
      HTTP2Frame(.data, stream: stream, Array(bytes[start..<min(start + 16_000, bytes.count)]))
    }
  }

  /// Sends frames of a stream as its window allows, of which `sent` bytes have been sent before.
  private func send(_ frames: [HTTP2Frame], after sent: Int = 0, by client: DoorClient) async throws {
    var sent = sent
    for frame in frames {
      let needed = sent + frame.payload.count - Int(HTTP2Limits().streamWindow)
      try await eventually("the window is wide enough", client.windows(of: frame.stream)) { needed <= $0 }
      client.send([frame])
      sent += frame.payload.count
    }
  }

  @Test("over the bound a new message is refused, one that is under way goes on, and then there is room again")
  func bodies() async throws {
    let room = GatheringRoom(short: 1 << 20, long: 400_000)
    let bench = try await DoorBench.start(room: room)
    let message = try UnaryCallRequest(payload: Payload(body: [UInt8](repeating: 7, count: 300_000))).encoded()
    let client = try bench.client()
    client.acknowledge()
    let first = client.open("\(DoorClient.interop)/UnaryCall")
    let parts = frames(first, message)
    // As much as the window allows.
    client.send(Array(parts.prefix(6)))
    try await eventually("the first parts have come", room.taken) { $0 >= 200_000 }
    // Another connection of the same caller.
    let other = try bench.client()
    other.acknowledge()
    let second = other.open("\(DoorClient.interop)/UnaryCall")
    other.send(Array(frames(second, message).prefix(6)))
    let refusal = other.answer(second)
    #expect(refusal.status == "\(StatusCode.resourceExhausted.rawValue)", "\(refusal)")
    #expect(refusal.message?.contains("no_room") == true, "\(refusal)")
    #expect(other.unary("\(DoorClient.interop)/EmptyCall").status == "0", "a short one finds room")
    try await send(Array(parts.dropFirst(6)), after: 6 * 16_000, by: client)
    client.send([HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: first, [])])
    #expect(client.answer(first).status == "0")
    try await eventually("nothing is kept", room.taken) { $0 == 0 }
    try await bench.server.stop()
  }

  @Test("a long message of a stream counts until the service takes it")
  func untaken() async throws {
    let room = GatheringRoom(short: 1 << 20, long: 2 << 20)
    let bench = try await DoorBench.start([SleepyService()], room: room)
    let client = try bench.client()
    client.acknowledge()
    let message = try StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 1, count: 1 << 20))).encoded()
    let stream = client.open("\(DoorClient.interop)/StreamingInputCall", [("grpc-timeout", "60S")])
    // The first one is put together at the service's end; nobody reads it, so the second one stays here.
    let parts = frames(stream, message) + frames(stream, message)
    try await send(parts, by: client)
    for _ in 0..<20 {
      _ = client.windows(of: stream)
      #expect(room.taken > 800_000)
    }
    let other = try bench.client()
    other.acknowledge()
    let second = other.open("\(DoorClient.interop)/StreamingInputCall", [("grpc-timeout", "60S")])
    other.send(Array(frames(second, message).prefix(6)))
    let refusal = other.answer(second)
    #expect(refusal.status == "\(StatusCode.resourceExhausted.rawValue)", "\(refusal)")
    client.send([HTTP2Frame(.reset, stream: stream, HTTP2Frame.word(8))])
    try await eventually("nothing is kept", room.taken) { $0 == 0 }
    try await bench.server.stop()
  }

  @Test("a request that does not come in the call's time is ended")
  func late() async throws {
    var limits = DoorLimits()
    limits.times.single = .seconds(1)
    let room = GatheringRoom()
    let bench = try await DoorBench.start(limits: limits, room: room)
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/UnaryCall")
    client.send(Array(frames(stream, [UInt8](repeating: 1, count: 100_000)).prefix(2)))
    let answer = client.answer(stream)
    #expect(answer.status == "\(StatusCode.deadlineExceeded.rawValue)", "\(answer)")
    #expect(answer.message?.contains("had not come") == true)
    #expect(room.taken == 0)
    try await bench.server.stop()
  }
}
