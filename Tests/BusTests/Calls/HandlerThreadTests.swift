import Base
import Bus
import InteropContract
import RPC
import Testing
import Wire

/// Handlers share their connection's threads with the bus.
@Suite struct HandlerThreadTests {
  @Test("handlers that block on every thread delay other handlers, and nothing else") func allBlocked() async throws {
    let door = try Wakeup()
    let notes = Notes()
    var service = ClosureService()
    service.look = { request, _ in
      notes.add("entered")
      _ = door.wait(.seconds(30))
      return request
    }
    let network = try await LocalNetwork.start()
    let server = try await Self.server(of: service, slots: 64, in: network)
    let blocked = 2 * BusConnection.handlerThreads
    let channel = network.client.channel
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<blocked {
        group.addTask { try await channel.ask(ClosureService.look, "\(number)") }
      }
      _ = await notes.wait(for: BusConnection.handlerThreads)
      // These calls are answered in the connection's turns, without a handler.
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

  @Test("a handler's sleep ends in time, in whatever order handlers sleep") func sleeps() async throws {
    var service = ClosureService()
    service.look = { request, _ in
      let milliseconds = Int(String(decoding: request.body, as: UTF8.self)) ?? 0
      let start = Clock.system.monotonic
      try await Task.sleep(for: .milliseconds(milliseconds))
      #expect(Clock.system.monotonic - start >= .milliseconds(milliseconds))
      return request
    }
    let network = try await LocalNetwork.start()
    let server = try await Self.server(of: service, slots: 16, in: network)
    let channel = network.client.channel
    let asked = [30, 1, 20, 0, 40, 5, 1, 60, 10, 3].map { "\($0)" }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for text in asked { group.addTask { try await channel.ask(ClosureService.look, text) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.sorted() == asked.sorted())
    try await server.close()
    try await network.stop()
  }

  private static func server(
    of service: ClosureService, slots: Int, in network: LocalNetwork
  ) async throws -> BusConnection {
    let server = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.services, in: network.folder)]))
    server.serve([service], .init(slots: slots))
    try await server.ready()
    return server
  }
}
