import Base
import Interop
import Testing
import Wire

/// A gateway behind sockets in a private directory, with a worker and a client that have connections of their own.
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
    await worker.ready()
    await client.ready()
    return LocalNetwork(folder: folder, server: server, worker: worker, client: client)
  }

  static func startServer(in folder: TemporaryFolder) async throws -> BusServer {
    let listeners = try GatewayListener.Door.allCases.map { GatewayListener($0, try endpoint($0, in: folder)) }
    return try await BusServer.start(.init(instance: "gateway-1", listeners: listeners)) { _ in }
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
