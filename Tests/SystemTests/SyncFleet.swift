import Base
import Bus
import RPC
import ServiceKit
import StorageTestKit
import TestSupport
import Testing

/// Gateways and the services that take part in a sync, as processes that are killed as the kernel would, and replaced.
///
/// There is a gateway for each process of AccountService if `isApart`, so that a caller can choose the process;
/// otherwise one for all. The other services dial every gateway.
actor SyncFleet {
  enum Role: Hashable {
    case gateway(Int)
    case consent, signature
    case account(Int)
  }

  nonisolated let folder: TemporaryFolder
  nonisolated let roles: [Role]
  private let gateways: Int
  /// nil for services that sign no heads.
  private let evidence: KeptEvidence?
  private let environment: [String: String]
  private let server: PostgresServer?
  private var running: [Role: RunningProgram] = [:]
  /// What brings back the process that is away.
  private var replacing: Task<Void, any Error>?
  private(set) var kills = 0

  /// - Parameter keepsEvidence: whether services run as `assent up` starts them, and what they have kept is checked
  ///   when they have stopped.
  static func start(
    _ engine: TestEngine, accounts: Int = 1, isApart: Bool = false, keepsEvidence: Bool = false,
    environment: [String: String] = [:]
  ) async throws -> SyncFleet {
    let server = engine == .postgres ? try await PostgresServer() : nil
    let fleet = try SyncFleet(
      folder: try TemporaryFolder(), gateways: isApart ? accounts : 1, accounts: accounts, server: server,
      keepsEvidence: keepsEvidence, environment: environment)
    for role in fleet.roles { try await fleet.add(role) }
    return fleet
  }

  private init(
    folder: TemporaryFolder, gateways: Int, accounts: Int, server: PostgresServer?, keepsEvidence: Bool,
    environment: [String: String]
  ) throws {
    self.folder = folder
    self.gateways = gateways
    self.server = server
    roles = (0..<gateways).map { .gateway($0) } + [.consent, .signature] + (0..<accounts).map { .account($0) }
    evidence = keepsEvidence ? try KeptEvidence(data: folder.file("data")) : nil
    let keys = keepsEvidence ? KeptEvidence.environment : ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)]
    self.environment = keys.merging(
      server.map { ["ASSENT_DATABASE_URL": $0.url] } ?? [:], uniquingKeysWith: { $1 }
    ).merging(environment, uniquingKeysWith: { $1 })
  }

  private func add(_ role: Role) async throws {
    let process =
      switch role {
      case .gateway(let number):
        try await RunningProgram.start("gateway", ["--bus-folder", bus(number), "--ops-listen", "127.0.0.1:0"])
      case .consent: try await service("ConsentService", as: "consent", Array(0..<gateways))
      case .signature: try await service("SignatureService", as: "signature", Array(0..<gateways))
      case .account(let number):
        // What a passcode costs is none of this test's business.
        try await service(
          "AccountService", as: "account-\(number)", [number % gateways],
          ["--passcode-memory", "1MiB", "--passcode-passes", "1"])
      }
    _ = try #require(await process.line(containing: "ready"), "\(role): \(process.logLines)")
    running[role] = process
  }

  private func service(
    _ program: String, as instance: String, _ gateways: [Int], _ further: [String] = []
  ) async throws -> RunningProgram {
    let doors = try gateways.map { try BusSettings.socket(.services, in: bus($0)).description }
    let place = evidence?.arguments(of: instance) ?? ["--data", folder.file("data")]
    return try await RunningProgram.start(
      program, ["--services-door", doors.joined(separator: ",")] + place + further, environment: environment)
  }

  private nonisolated func bus(_ gateway: Int) -> String { folder.file("bus-\(gateway)") }

  /// A client's connection to one gateway.
  nonisolated func connect(to gateway: Int = 0) async throws -> BusConnection {
    let connection = try await BusConnection.open(
      .init(gateways: [try BusSettings.socket(.clients, in: bus(gateway))]))
    try await connection.ready()
    return connection
  }

  /// The process that plays a role now.
  func process(_ role: Role) -> Int32? { running[role]?.id }

  /// Kills a process, and starts another in its place.
  func replace(_ role: Role) async throws {
    try await kill(role)
    try await add(role)
  }

  /// Starts a process in the place of one that was killed.
  func revive(_ role: Role) async throws { try await add(role) }

  // MARK: For several who kill

  /// Returns when every process is there.
  func whole() async throws {
    while let task = replacing {
      try await task.value
      if replacing == task { replacing = nil }
    }
  }

  /// Kills a process in some milliseconds, once no other is away, and starts another in its place.
  func replaceLater(_ role: Role, after milliseconds: Int) async throws {
    try await whole()
    replacing = Task {
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await replace(role)
    }
  }

  /// Kills a process once no other is away. Another comes in its place some milliseconds later.
  func kill(_ role: Role, awayFor milliseconds: Int) async throws {
    try await whole()
    let killing = Task { try await kill(role) }
    replacing = Task {
      try await killing.value
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await revive(role)
    }
    try await killing.value
  }

  func kill(_ role: Role) async throws {
    let victim = try #require(running[role])
    running[role] = nil
    victim.send(.kill)
    _ = await victim.wait()
    kills += 1
  }

  /// Ends every process in order, services before gateways, and checks what they have kept.
  func stop() async throws {
    for role in roles.reversed() {
      guard let process = running[role] else { continue }
      process.send(.terminate)
      #expect(await process.wait() == .code(0), "\(role): \(process.logLines.suffix(5))")
    }
    try await evidence?.check("consent", keptBy: ["consent"], databaseURL: server?.url)
    try await evidence?.check("signature", keptBy: ["signature"], databaseURL: server?.url)
    let accounts = roles.indices.map { "account-\($0)" }
    try await evidence?.check("account", keptBy: accounts, databaseURL: server?.url)
    await server?.end()
  }
}
