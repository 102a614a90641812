import Base
internal import Bus
import Face
import HTTPFace
import Interop
import InteropContract
import TestSupport
import Testing
import Wire

/// Doors that are about to close.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DrainingDoorTests {
  @Test("a draining door lets calls end and sends clients elsewhere")
  func drain() async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/UnaryCall")
    var request = UnaryCallRequest()
    request.sleepMs = 4000
    client.body(stream, [try request.encoded()])
    try await bench.untilOpenCalls { $0 == 1 }
    let server = bench.server
    let draining = Task { try await server.drain() }
    let first = client.next()
    #expect(first?.kind == HTTP2Frame.Kind.goaway.rawValue)
    #expect(first?.word(at: 0) == UInt32(Int32.max), "what the client has begun meanwhile is still taken")
    let second = client.next()
    #expect(second?.word(at: 0) == UInt32(stream))
    // Whoever comes now is told why it has to go elsewhere.
    let late = try bench.client()
    let answer = late.unary("\(DoorClient.interop)/EmptyCall")
    #expect(answer.status == "14" && answer.message?.contains("about to stop") == true, "\(answer)")
    let health = try ClientSocket(port: bench.port)
    health.send(Array("GET /proto HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    let page = String(decoding: health.receive(), as: UTF8.self).lowercased()
    #expect(page.hasPrefix("http/1.1 503 ") && page.contains("connection: close"), "\(page)")
    #expect(client.answer(stream).status == "0")
    try await draining.value
    try await bench.server.stop()
    #expect(throws: ClientSocket.Refused.self) { _ = try bench.client() }
  }

  @Test("doors that share an address share its connections, and one that drains leaves new ones to the others")
  func shared() async throws {
    let first = try await DoorBench.start([InteropHandlers(instance: "first")], shared: 0)
    let second = try await DoorBench.start([InteropHandlers(instance: "second")], shared: first.port)
    #expect(second.port == first.port)
    func instances() throws -> Set<String> {
      Set(
        try (0..<40).map { _ in
          let answer = try first.client().unary("\(DoorClient.interop)/UnaryCall")
          return try UnaryCallResponse(decoding: try #require(answer.messages.first)).instance
        })
    }
    #expect(try instances() == ["first", "second"])
    let busy = try first.client()
    let stream = busy.open("\(DoorClient.interop)/UnaryCall")
    var request = UnaryCallRequest()
    request.sleepMs = 4000
    busy.body(stream, [try request.encoded()])
    try await eventually("one of them has the call", await first.openCalls() + second.openCalls() == 1)
    let (leaving, staying) = await first.openCalls() == 1 ? (first, "second") : (second, "first")
    let server = leaving.server
    let draining = Task { try await server.drain() }
    try await eventually("it drains", await server.visit { router, now in router.snapshot(at: now).isLeaving } == true)
    #expect(try instances() == [staying])
    #expect(busy.answer(stream).status == "0")
    try await draining.value
    try await first.server.stop()
    try await second.server.stop()
  }
}
