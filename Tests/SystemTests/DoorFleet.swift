import Base
import Bus
import InteropContract
import RPC
import ServiceKit
import Synchronization
import TestSupport
import Testing
import Wire

/// Two gateways with all their doors and three workers that dial both, to be killed and replaced.
actor DoorFleet {
  private struct Gateway {
    let folder: String
    var process: RunningProgram
    let web: String
    let grpc: String
  }

  private let folder: TemporaryFolder
  private let key: String
  private var gateways: [Gateway] = []
  private var workers: [RunningProgram] = []
  /// When processes were killed, and when what replaced them served.
  private(set) var outages: [Outage] = []

  static func start() async throws -> DoorFleet {
    let folder = try TemporaryFolder()
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        [
          "keys", "api", "create", "tester", "--tenant", "acme", "--kind", "device", "--api-key-list",
          folder.file("api-keys"),
        ]))
    let key = try #require(created.lines.last { $0.hasPrefix("ak_") })
    let fleet = DoorFleet(folder: folder, key: key)
    for number in 0..<2 { try await fleet.addGateway("bus-\(number)") }
    for _ in 0..<3 { try await fleet.addWorker() }
    return fleet
  }

  private init(folder: TemporaryFolder, key: String) {
    self.folder = folder
    self.key = key
  }

  private func addGateway(_ name: String) async throws {
    let (process, web, grpc) = try await launch(folder.file(name), web: "127.0.0.1:0", grpc: "127.0.0.1:0")
    gateways.append(Gateway(folder: folder.file(name), process: process, web: web, grpc: grpc))
  }

  private func launch(
    _ place: String, web: String, grpc: String
  ) async throws -> (RunningProgram, web: String, grpc: String) {
    let gateway = try await RunningProgram.start(
      "gateway",
      [
        "--bus-folder", place, "--http-listen", web, "--grpc-listen", grpc, "--key-rate", "0", "--api-key-list",
        folder.file("api-keys"),
      ])
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let places = ready.split(separator: "   ").map(String.init)
    let door = try #require(places.first { $0.hasPrefix("http://") }).dropFirst("http://".count)
    let other = try #require(places.first { $0.hasPrefix("grpc ") }).dropFirst("grpc ".count)
    return (gateway, String(door), String(other))
  }

  private func addWorker() async throws {
    let doors = gateways.map { "ipc://\($0.folder)/services" }.joined(separator: ",")
    let worker = try await RunningProgram.start("InteropService", ["--services-door", doors, "--slots", "16"])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    workers.append(worker)
  }

  // MARK: - Callers

  /// One program for each gateway.
  func startCallers() async throws -> [SteadyCaller] {
    var callers: [SteadyCaller] = []
    for gateway in gateways {
      callers.append(try await SteadyCaller.start(["http://\(gateway.web)", gateway.grpc, key]))
    }
    return callers
  }

  /// A client of the bus that knows both gateways.
  func callOverBus() async throws -> SteadyBusCaller {
    let connection = try await BusConnection.open(
      .init(gateways: try gateways.map { try BusSettings.socket(.clients, in: $0.folder) }))
    try await connection.ready()
    return SteadyBusCaller(connection)
  }

  // MARK: - Killing

  func replaceWorker(_ number: Int) async throws {
    let victim = workers.remove(at: number)
    let began = Clock.system.monotonic
    victim.send(.kill)
    _ = await victim.wait()
    try await addWorker()
    outages.append(Outage(process: .worker, began: began, ended: Clock.system.monotonic))
  }

  func replaceGateway(_ number: Int) async throws {
    let former = gateways[number]
    let began = Clock.system.monotonic
    former.process.send(.kill)
    _ = await former.process.wait()
    gateways[number].process = try await launch(former.folder, web: former.web, grpc: former.grpc).0
    try await untilServing(former.folder)
    outages.append(Outage(process: .gateway(number), began: began, ended: Clock.system.monotonic))
  }

  /// Waits until the workers have come to a gateway.
  private func untilServing(_ place: String) async throws {
    let connection = try await BusConnection.open(.init(gateways: [try BusSettings.socket(.clients, in: place)]))
    _ = try await InteropServiceClient(connection.channel).emptyCall(
      EmptyCallRequest(), deadline: .seconds(30), options: CallOptions(waitsForReady: true))
    try await connection.close()
  }

  func stop() async throws {
    for process in workers + gateways.map(\.process) {
      process.send(.terminate)
      #expect(await process.wait() == .code(0), "\(process.logLines.suffix(5))")
    }
  }
}

/// The time from just before a process is killed until what replaces it serves.
struct Outage: Sendable {
  enum Process: Hashable { case gateway(Int), worker }

  let process: Process
  let began: MonotonicTime
  let ended: MonotonicTime
}
