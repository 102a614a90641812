import Base
import Bus
import GatewayContract
import RPC
import ServiceKit
import TestSupport
import Testing

/// An installation with two gateways at one address, whose processes are replaced as an operator does: the new one is
/// started first, then the old one is told to end.
actor HandOverFleet {
  enum Service: String, CaseIterable {
    case consent = "ConsentService"
    case signature = "SignatureService"
    case account = "AccountService"
    case interop = "InteropService"
  }

  nonisolated let folder: TemporaryFolder
  /// Where both gateways answer.
  nonisolated let address: String
  private let evidence: KeptEvidence
  private var gateways: [(bus: String, process: RunningProgram)] = []
  private var services: [Service: RunningProgram] = [:]
  private var started = 0
  /// Two for the first gateways, two for those in their place: a gateway takes no folder that another one has.
  private static let busFolders = 4

  static func start() async throws -> HandOverFleet {
    let folder = try TemporaryFolder()
    let first = try await gateway(at: "127.0.0.1:0", number: 0, in: folder)
    let fleet = HandOverFleet(
      folder: folder, address: first.address, first: (bus(0, in: folder), first.process),
      evidence: try KeptEvidence(data: folder.file("data")))
    try await fleet.addGateway()
    for service in Service.allCases { try await fleet.add(service) }
    return fleet
  }

  private init(
    folder: TemporaryFolder, address: String, first: (bus: String, process: RunningProgram), evidence: KeptEvidence
  ) {
    self.folder = folder
    self.address = address
    self.evidence = evidence
    gateways = [first]
  }

  private static func bus(_ number: Int, in folder: TemporaryFolder) -> String { folder.file("bus-\(number)") }

  private static func gateway(
    at place: String, number: Int, in folder: TemporaryFolder
  ) async throws -> (address: String, process: RunningProgram) {
    let process = try await RunningProgram.start(
      "gateway",
      [
        "--bus-folder", bus(number, in: folder), "--http-listen", place, "--share-addresses", "--key-rate", "0",
        "--api-key-list", folder.file("api-keys"), "--instance", "gateway-\(number)",
      ])
    let ready = try #require(await process.line(containing: "ready"), "\(process.logLines)")
    let url = try #require(ready.split(separator: " ").first { $0.hasPrefix("http://") })
    return (String(url.dropFirst("http://".count)), process)
  }

  private func addGateway() async throws {
    let number = gateways.count
    try #require(number < Self.busFolders)
    let made = try await Self.gateway(at: address, number: number, in: folder)
    gateways.append((Self.bus(number, in: folder), made.process))
  }

  private func add(_ service: Service) async throws {
    started += 1
    let instance = "\(service)-\(started)"
    let doors = try (0..<Self.busFolders).map { try BusSettings.socket(.services, in: Self.bus($0, in: folder)) }
    var arguments = ["--services-door", doors.map(\.description).joined(separator: ","), "--instance", instance]
    // Only the interoperability service keeps nothing.
    if service != .interop { arguments += evidence.arguments(of: instance) }
    let process = try await RunningProgram.start(
      service.rawValue, arguments, environment: KeptEvidence.environment.mapValues { .some($0) })
    _ = try #require(await process.line(containing: "ready"), "\(process.logLines)")
    services[service] = process
  }

  /// An API key of the installation's one tenant.
  nonisolated func key(_ name: String, _ options: [String]) async throws -> String {
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        ["keys", "api", "create", name, "--tenant", "acme", "--api-key-list", folder.file("api-keys")] + options))
    return try #require(created.lines.last { $0.hasPrefix("ak_") }, "\(created.lines)")
  }

  /// Begins to make changes, and to repeat what was not answered. At its end, it tells how many changes were made and
  /// how many repeats that took: all that was acknowledged is there, once.
  nonisolated func changes(with key: String) async throws -> Load {
    try await Load.start([Repository.path("Tests/Fixtures/doors/changes.py"), address, key, "load"])
  }

  /// Begins to draw in a field and to watch it. At its end, it tells of how many points the watcher was told, of each
  /// once, and how many streams that took.
  nonisolated func watching(with key: String) async throws -> Load {
    try await Load.start([Repository.path("Tests/Fixtures/doors/watching.py"), address, key])
  }

  /// A program that uses the installation until it is told to end, and then prints numbers.
  struct Load: Sendable {
    private let process: ChildProcess
    private let lines: AsyncStream<String>

    fileprivate static func start(_ arguments: [String]) async throws -> Load {
      let (lines, continuation) = AsyncStream<String>.makeStream()
      var command = ChildCommand(Repository.python, arguments)
      command.input = .written
      command.output = .lines { continuation.yield($0) }
      command.whenEnded = { _ in continuation.finish() }
      let load = Load(process: try await ChildProcess.start(command), lines: lines)
      var words = load.lines.makeAsyncIterator()
      #expect(await words.next() == "calling")
      return load
    }

    /// - Returns: the first two numbers that it prints.
    func end() async throws -> (Int, Int) {
      process.closeInput()
      var told: [Substring] = []
      for await line in lines { told = line.split(separator: " ") }
      #expect(await process.wait() == .code(0))
      try #require(told.count >= 2, "\(told)")
      return (try #require(Int(told[0])), try #require(Int(told[1])))
    }
  }

  // MARK: - Replacing

  func replace(_ service: Service) async throws {
    let former = try #require(services[service])
    try await add(service)
    try await end(former)
  }

  /// Replaces one of the first two gateways.
  func replaceGateway(_ number: Int) async throws {
    try await addGateway()
    try await untilServed(gateways[gateways.count - 1].bus)
    try await end(gateways[number].process)
  }

  /// Waits until every service has come to a gateway, as `assent status` shows it.
  private func untilServed(_ bus: String) async throws {
    let connection = try await BusConnection.open(.init(gateways: [try BusSettings.socket(.clients, in: bus)]))
    try await connection.ready()
    let gateway = GatewayServiceClient(connection.channel)
    try await eventually("every service is there", await gateway.listInstances(ListInstancesRequest()).instances) {
      Set($0.map { $0.name.prefix { $0 != "-" } }).isSuperset(of: Service.allCases.map { "\($0)"[...] })
    }
    try await connection.close()
  }

  private func end(_ process: RunningProgram) async throws {
    process.send(.terminate)
    #expect(await process.wait() == .code(0), "\(process.logLines.suffix(5))")
  }

  /// Ends what has taken the place of the first processes.
  func stop() async throws {
    for process in services.values + gateways.suffix(2).map(\.process) { try await end(process) }
  }
}
