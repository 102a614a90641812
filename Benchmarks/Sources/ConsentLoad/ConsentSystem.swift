package import Base
internal import BenchKit
package import Bus
package import ConsentContract
package import InteropContract
package import RPC

/// A gateway, a ConsentService, what draws signatures, and the bus's echo, each a process, and this process's
/// connection to them.
package final class ConsentSystem: Sendable, Stoppable {
  package enum Place: Sendable {
    /// A SQLite file in this folder.
    case folder(String)
    /// A PostgreSQL server at this URL.
    case server(String)
  }

  package static let masterKey = String(repeating: "5a", count: 32)
  /// The keys that every service gets: heads are signed, as `assent up` has it.
  package static let keys = ["ASSENT_MASTER_KEY": masterKey, "ASSENT_EVIDENCE_KEY": String(repeating: "5b", count: 32)]
  package static let tenant = "bench"

  package let service: ChildProcess
  private let processes: [ChildProcess]
  private let connection: BusConnection
  private let folder: TemporaryFolder

  /// The folder of the gateway's sockets, where other services may join.
  package var bus: String { folder.file("bus") }

  /// - Parameter echoes: also starts the bus's echo service.
  /// - Parameter draws: also starts a process that draws signatures; without one, nobody can sign.
  /// - Parameter environment: further variables for the service.
  package static func start(
    _ place: Place, echoes: Bool = false, draws: Bool = true, environment: [String: String] = [:]
  ) async throws -> ConsentSystem {
    let folder = try TemporaryFolder(named: "assent-consent-bench")
    let bus = folder.file("bus")
    let gateway = try await Program.start("gateway", ["--bus-folder", bus])
    let service = try await startService(place, bus: bus, environment: environment)
    var processes = [service]
    if echoes { processes.append(try await Program.start("InteropService", ["--bus-folder", bus, "--slots", "64"])) }
    if draws { processes.append(try await Program.start("SignatureService", ["--bus-folder", bus, "--render-only"])) }
    let connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    return ConsentSystem(
      service: service, processes: processes + [gateway], connection: connection, folder: folder)
  }

  package static func startService(
    _ place: Place, bus: String, environment others: [String: String] = [:]
  ) async throws -> ChildProcess {
    var environment = others
    environment.merge(keys) { given, _ in given }
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

  /// The bus for a caller.
  package func channel(for identity: CallerIdentity) -> BusChannel { connection.channel.acting(for: identity) }

  package func client(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> ConsentClients {
    let identity = CallerIdentity(kind: kind, tenant: Self.tenant, subject: subject, grants: grants)
    return ConsentClients(channel(for: identity))
  }

  package var app: ConsentClients { client("app", .device) }
  package var admin: ConsentClients { client("admin", .person, ["admin@*", "publisher@*", "coordinator@*"]) }
  package var echo: InteropServiceClient { InteropServiceClient(connection.channel) }

  package var processIDs: [Int32] { processes.map(\.id) }

  /// Returns when nothing is left to do of what was asked before.
  package func untilIdle() async throws { try await Idleness.wait(for: processIDs) }

  package func stop() async throws {
    try await connection.close()
    for process in processes { await process.stop() }
  }
}
