import Base
import Bus
import Interop
import RPC
import TestSupport
import Testing

/// A gateway behind sockets in a private directory, with a worker and a client on connections of their own.
final class LocalNetwork {
  let folder: TemporaryFolder
  let server: BusServer
  let worker: BusConnection
  let client: BusConnection

  static func start(slots: Int = 4) async throws -> LocalNetwork {
    let folder = try TemporaryFolder()
    let server = try await startServer(in: folder)
    let worker = try await BusConnection.open(.init(gateways: [endpoint(.services, in: folder)]))
    worker.serve([InteropHandlers(instance: "one")], .init(slots: slots))
    let client = try await BusConnection.open(.init(gateways: [endpoint(.clients, in: folder)]))
    try await worker.ready()
    try await client.ready()
    return LocalNetwork(folder: folder, server: server, worker: worker, client: client)
  }

  /// A machine that builds and tests at the same time can keep a thread from running for longer than peers may be
  /// silent.
  static let missesUntilDead = 20

  static func startServer(in folder: TemporaryFolder) async throws -> BusServer {
    let listeners = try GatewayListener.Door.allCases.map { GatewayListener($0, try endpoint($0, in: folder)) }
    var configuration = BusServer.Configuration(name: "gateway-1", listeners: listeners)
    configuration.router.timings.missesUntilDead = missesUntilDead
    return try await BusServer.start(configuration) { _ in }
  }

  /// Returns when a worker has announced itself at the gateway.
  static func awaitInstance(at server: BusServer) async throws {
    try await eventually("a worker is there", await server.visit { $0.snapshot(at: $1).instances }) {
      $0?.isEmpty == false
    }
  }

  static func endpoint(_ door: GatewayListener.Door, in folder: TemporaryFolder) throws -> BusEndpoint {
    try BusEndpoint("ipc://\(folder.file("bus"))/\(door.rawValue)")
  }

  private init(folder: TemporaryFolder, server: BusServer, worker: BusConnection, client: BusConnection) {
    self.folder = folder
    self.server = server
    self.worker = worker
    self.client = client
  }

  func stop() async throws {
    try await client.close()
    try await worker.close()
    try await server.stop()
  }
}
