import Base
import BenchKit
import Bus
import ConsentContract
import InteropContract

/// A gateway, a ConsentService, and the bus's echo, each a process, and this process's connection to them.
final class ConsentSystem: Sendable {
  enum Place: Sendable {
    /// A SQLite file in this folder.
    case folder(String)
    /// A PostgreSQL server at this URL.
    case server(String)
  }

  static let masterKey = String(repeating: "5a", count: 32)
  static let tenant = "bench"

  let service: ChildProcess
  private let processes: [ChildProcess]
  private let connection: BusConnection
  private let folder: TemporaryFolder

  /// - Parameter echoes: also starts the bus's echo service.
  /// - Parameter environment: further variables for the service.
  static func start(
    _ place: Place, echoes: Bool = false, environment: [String: String] = [:]
  ) async throws -> ConsentSystem {
    let folder = try TemporaryFolder(named: "assent-consent-bench")
    let bus = folder.file("bus")
    let gateway = try await Program.start("gateway", ["--bus-folder", bus])
    let service = try await startService(place, bus: bus, environment: environment)
    var processes = [service]
    if echoes { processes.append(try await Program.start("InteropService", ["--bus-folder", bus, "--slots", "64"])) }
    let connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    return ConsentSystem(
      service: service, processes: processes + [gateway], connection: connection, folder: folder)
  }

  static func startService(
    _ place: Place, bus: String, environment others: [String: String] = [:]
  ) async throws -> ChildProcess {
    var environment = others
    environment["ASSENT_MASTER_KEY"] = masterKey
    var arguments = ["--bus-folder", bus]
    switch place {
    case .folder(let path): arguments += ["--data", path]
    case .server(let url): environment["ASSENT_DATABASE_URL"] = url
    }
    return try await Program.start("ConsentService", arguments, environment: environment)
  }

  private init(
    service: ChildProcess, processes: [ChildProcess], connection: BusConnection, folder: TemporaryFolder
  ) {
    self.service = service
    self.processes = processes
    self.connection = connection
    self.folder = folder
  }

  func client(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> ConsentClients {
    let identity = CallerIdentity(kind: kind, tenant: Self.tenant, subject: subject, grants: grants)
    return ConsentClients(connection.channel.acting(for: identity))
  }

  /// The executor on which tasks that only make calls run best.
  var callers: any TaskExecutor { connection.executor }

  var app: ConsentClients { client("app", .device) }
  var admin: ConsentClients { client("admin", .person, ["admin@*", "publisher@*", "coordinator@*"]) }
  var echo: InteropServiceClient { InteropServiceClient(connection.channel) }

  func stop() async throws {
    try await connection.close()
    for process in processes { await process.stop() }
  }
}
