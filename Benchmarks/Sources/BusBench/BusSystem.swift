import Base
import BenchKit
import Synchronization
import Wire

/// A gateway and a worker, each a process, and this process's connection to them.
final class BusSystem: Sendable {
  enum Transport {
    /// Sockets in a private folder, as on one machine.
    case plain
    /// TCP with CURVE.
    case encrypted
  }

  let gateway: ChildProcess
  let worker: ChildProcess
  let connection: BusConnection
  let client: InteropServiceClient
  private let folder: TemporaryFolder

  static func start(_ transport: Transport, slots: Int = 64) async throws -> BusSystem {
    let folder = try TemporaryFolder()
    let places = try Places(transport, in: folder)
    let gateway = try await Program.start("gateway", places.gatewayArguments)
    let worker = try await Program.start("InteropService", places.workerArguments + ["--slots", "\(slots)"])
    let connection = try await BusConnection.open(places.client)
    let client = InteropServiceClient(connection.channel)
    _ = try await client.emptyCall(
      EmptyCallRequest(), deadline: .seconds(20), options: CallOptions(waitsForReady: true))
    return BusSystem(gateway: gateway, worker: worker, connection: connection, client: client, folder: folder)
  }

  private init(
    gateway: ChildProcess, worker: ChildProcess, connection: BusConnection, client: InteropServiceClient,
    folder: TemporaryFolder
  ) {
    self.gateway = gateway
    self.worker = worker
    self.connection = connection
    self.client = client
    self.folder = folder
  }

  func stop() async throws {
    try await connection.close()
    await worker.stop()
    await gateway.stop()
  }
}

/// Where gateway, worker and client meet, and what they prove themselves with.
private struct Places {
  let gatewayArguments: [String]
  let workerArguments: [String]
  let client: BusConnection.Configuration

  init(_ transport: BusSystem.Transport, in folder: TemporaryFolder) throws {
    switch transport {
    case .plain:
      let bus = folder.file("bus")
      gatewayArguments = ["--bus-folder", bus]
      workerArguments = ["--bus-folder", bus]
      client = .init(gateways: [try BusEndpoint("ipc://\(bus)/clients")])
    case .encrypted:
      let port = 20_000 + Int(Randomness.system.word() % 10_000)
      let doors = (services: "tcp://127.0.0.1:\(port)", clients: "tcp://127.0.0.1:\(port + 1)")
      let (gateway, worker, own) = (CurveKeyPair.generate(), CurveKeyPair.generate(), CurveKeyPair.generate())
      try KeyFile.write(gateway, to: folder.file("gateway.key"))
      try KeyFile.write(worker, to: folder.file("worker.key"))
      var list = KeyList()
      try list.add(KeyEntry(role: .service, publicKey: worker.publicKey, name: "worker"))
      let grant = KeyEntry.Grant(tenant: "bench", access: .admin)
      try list.add(KeyEntry(role: .client, publicKey: own.publicKey, name: "client", grant: grant))
      try KeyListFile.write(list, to: folder.file("keys"))
      gatewayArguments = [
        "--services-door", doors.services, "--clients-door", doors.clients,
        "--bus-key-file", folder.file("gateway.key"), "--bus-key-list", folder.file("keys"),
      ]
      workerArguments = [
        "--services-door", doors.services, "--bus-key-file", folder.file("worker.key"),
        "--gateway-key", gateway.publicKey.text,
      ]
      client = .init(
        gateways: [try BusEndpoint(doors.clients)], keys: .init(own: own, gateway: gateway.publicKey))
    }
  }
}
