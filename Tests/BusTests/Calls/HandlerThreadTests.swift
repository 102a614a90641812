import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// Handlers run on a pool's threads, and the bus has one of its own.
@Suite struct HandlerThreadTests {
  @Test("handlers that block on every thread of their pool delay other handlers, and nothing else") func allBlocked()
    async throws
  {
    let door = try Wakeup()
    let notes = Notes()
    let network = try await LocalNetwork.start()
    let server = try await Self.server(of: Self.blocking(at: door, notes), slots: 64, in: network)
    let blocked = 2 * Self.threads
    let channel = network.client.channel
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<blocked {
        group.addTask { try await channel.ask(ClosureService.look, "\(number)") }
      }
      _ = await notes.wait(for: Self.threads)
      // These calls are answered on the bus's thread, without a handler.
      for _ in 0..<10 { try await server.ready() }
      var answers: Set<String> = []
      while answers.count < blocked {
        door.signal()
        if let answer = try await group.next() { answers.insert(answer) }
      }
      #expect(answers == Set((0..<blocked).map { "\($0)" }))
    }
    try await server.close()
    try await network.stop()
  }

  @Test("a handler that blocks delays no other handler's answer") func oneBlocked() async throws {
    let door = try Wakeup()
    var service = ClosureService()
    service.look = { request, _ in
      if request.body == Array("blocks".utf8) { _ = door.wait(.seconds(30)) }
      return request
    }
    let network = try await LocalNetwork.start()
    let server = try await Self.server(of: service, slots: 4, in: network)
    let channel = network.client.channel
    async let blocked = channel.ask(ClosureService.look, "blocks")
    for number in 0..<200 { #expect(try await channel.ask(ClosureService.look, "\(number)") == "\(number)") }
    door.signal()
    #expect(try await blocked == "blocks")
    try await server.close()
    try await network.stop()
  }

  @Test("who waits until calls have ended waits no longer when the connection is closed", .timeLimit(.minutes(2)))
  func closedWhileDraining() async throws {
    let door = try Wakeup()
    let notes = Notes()
    let network = try await LocalNetwork.start()
    let server = try await Self.server(of: Self.blocking(at: door, notes), slots: 4, in: network)
    let channel = network.client.channel
    async let answer = channel.ask(ClosureService.look, "blocks")
    _ = await notes.wait(for: 1)
    async let drained: Void = server.drain()
    try await eventually("the server drains", await network.server.visit { $0.snapshot(at: $1).instances }) {
      $0?.contains { $0.isLeaving } == true
    }
    try await server.close()
    await drained
    door.signal()
    _ = try? await answer
    try await network.stop()
  }

  private static let threads = 2

  /// Notes each call, and blocks its thread until the door opens.
  private static func blocking(at door: Wakeup, _ notes: Notes) -> ClosureService {
    var service = ClosureService()
    service.look = { request, _ in
      notes.add("entered")
      _ = door.wait(.seconds(30))
      return request
    }
    return service
  }

  private static func server(
    of service: ClosureService, slots: Int, in network: LocalNetwork
  ) async throws -> BusConnection {
    let server = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.services, in: network.folder)]))
    var serving = BusConnection.Serving(slots: slots)
    serving.executor = BlockingPool(name: "handlers", threads: threads)
    server.serve([service], serving)
    try await server.ready()
    return server
  }
}
