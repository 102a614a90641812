import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing

/// Programs whose descriptors run out.
@Suite(.serialized) struct DescriptorTests {
  @Test("programs may open as many descriptors as the system allows them", .timeLimit(.minutes(1)))
  func raisedLimit() async throws {
    let system = try await TestSystem.start()
    let limits = String(decoding: try Files.read("/proc/\(system.gateway.id)/limits"), as: UTF8.self)
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == 2 && numbers[0] == numbers[1], "\(line)")
  }

  /// Opens 400 connections, sends nothing on them, and holds them. They come from the address that is given after the
  /// port, or from one each: a single address may not take the last descriptors.
  private static let holdConnections = """
    import socket, sys, time
    held = []
    for number in range(400):
        own = sys.argv[2] if len(sys.argv) > 2 else f"127.1.{number // 200}.{1 + number % 200}"
        held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), source_address=(own, 0)))
    print("held", flush=True)
    time.sleep(100)
    """

  private static let refusal = "no new connections"

  @Test("at the limit a gateway refuses connections, says so, does not spin, and goes on", .timeLimit(.minutes(5)))
  func exhausted() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]], descriptors: 256)
    let gateway = system.gateways[0]
    let worker = try await system.startWorker()
    let early = try await system.connect(keys: "client.key")
    let client = InteropServiceClient(early.channel)
    _ = try await client.emptyCall(EmptyCallRequest(), deadline: .seconds(20))

    let port = try #require(gateway.clientsDoors[0].split(separator: ":").last)
    let holder = try await RunningProgram.startPython(["-c", Self.holdConnections, String(port)])
    _ = try #require(await holder.line(containing: "held"), "\(holder.logLines)")
    try await eventually("it says so", gateway.process.logLines) { $0.contains { $0.contains(Self.refusal) } }
    let before = try processorTime(of: gateway.process)
    let began = Clock.system.monotonic
    while Clock.system.monotonic - began < .seconds(2) {
      _ = try await client.emptyCall(EmptyCallRequest(), deadline: .seconds(20))
      try await Task.sleep(for: .milliseconds(100))
    }
    // A thread that spun would take as long as it all took.
    let taken = try processorTime(of: gateway.process) - before
    #expect(taken < (Clock.system.monotonic - began) / 3, "\(taken)")
    #expect(gateway.process.logLines.count { $0.contains(Self.refusal) } < 50)

    holder.send(.kill)
    _ = await holder.wait()
    let late = try await system.connect(keys: "client.key")
    _ = try await InteropServiceClient(late.channel).emptyCall(EmptyCallRequest(), deadline: .seconds(20))
    for connection in [early, late] { try await connection.close() }
    for program in [worker, gateway.process] {
      program.send(.terminate)
      #expect(await program.wait() == .code(0), "\(program.logLines)")
    }
  }

  @Test(
    "an address that fills the bus's door and says nothing leaves descriptors for others", .timeLimit(.minutes(5)))
  func silentStrangers() async throws {
    let system = try await KeyedGateways.start(
      at: [["127.0.0.1"]], descriptors: 256, ["--http-listen", "127.0.0.1:0"])
    let gateway = system.gateways[0]
    let address = try #require(gateway.httpAddress)
    let port = try #require(gateway.clientsDoors[0].split(separator: ":").last)
    let holder = try await RunningProgram.startPython(["-c", Self.holdConnections, String(port), "127.0.0.2"])
    _ = try #require(await holder.line(containing: "held"), "\(holder.logLines)")
    let lines = try await eventually("it says so", gateway.process.logLines) { lines in
      lines.contains { $0.contains("too many connections") }
    }
    #expect(lines.contains { $0.contains("too many connections") && $0.contains("127.0.0.2") }, "\(lines)")
    // The strangers' other connections are still there.
    #expect(try await HTTP.ask("\(address)/nothing").status == 404)
    let client = try await system.connect(keys: "client.key")
    try await client.close()
    holder.send(.kill)
    _ = await holder.wait()
    gateway.process.send(.terminate)
    #expect(await gateway.process.wait() == .code(0), "\(gateway.process.logLines)")
  }

  @Test("connections over HTTP and gRPC leave the last descriptors free", .timeLimit(.minutes(5)))
  func outerDoors() async throws {
    let folder = try TemporaryFolder()
    let command = [
      "ulimit -n 256 && exec", Products.program("gateway"), "--bus-folder", folder.file("bus"), "--http-listen",
      "127.0.0.1:0",
    ]
    let gateway = try await RunningProgram.start(program: "sh", ["-c", command.joined(separator: " ")])
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let place = try #require(ready.split(separator: "   ").first { $0.hasPrefix("http://") }, "\(ready)")
    let port = try #require(place.split(separator: ":").last)
    let holder = try await RunningProgram.startPython(["-c", Self.holdConnections, String(port)])
    _ = try #require(await holder.line(containing: "held"), "\(holder.logLines)")
    try await eventually("it says so", gateway.logLines) { $0.contains { $0.contains(Self.refusal) } }
    // The gateway has descriptors for a service that comes now.
    let worker = try await RunningProgram.start("InteropService", ["--bus-folder", folder.file("bus")])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    for program in [worker, gateway] {
      program.send(.terminate)
      #expect(await program.wait() == .code(0), "\(program.logLines)")
    }
    holder.send(.kill)
    _ = await holder.wait()
  }

  /// What all threads of a program have taken so far, to a hundredth of a second.
  private func processorTime(of program: RunningProgram) throws -> Duration {
    let stat = String(decoding: try Files.read("/proc/\(program.id)/stat"), as: UTF8.self)
    // The name before it is in brackets and may have spaces.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    let ticks = try #require(
      fields.count > 13 ? Int(fields[12]).flatMap { user in Int(fields[13]).map { user + $0 } } : nil)
    return .milliseconds(ticks * 10)
  }
}
