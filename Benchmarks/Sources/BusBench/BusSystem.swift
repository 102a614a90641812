import Base
import BenchKit
import Bus
import InteropContract
import RPC
import Synchronization

/// A gateway and a worker, each a process, and this process's connection to them.
final class BusSystem: Sendable, Stoppable {
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
    let place: any Place = transport == .plain ? Folder(path: folder.file("bus")) : try Ports(in: folder)
    let (gateway, ready) = try await Program.startHeard("gateway", place.gatewayArguments)
    // The services' door comes first.
    let doors = ready.split(separator: " ").filter { $0.hasPrefix("tcp://") }.map(String.init)
    let worker = try await Program.start("InteropService", place.workerArguments(doors) + ["--slots", "\(slots)"])
    let connection = try await BusConnection.open(try place.client(doors))
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

/// The addresses at which gateway, worker and client meet, and their keys.
private protocol Place {
  var gatewayArguments: [String] { get }
  /// - Parameter doors: the TCP addresses of the gateway's doors, the services' first.
  func workerArguments(_ doors: [String]) -> [String]
  func client(_ doors: [String]) throws -> BusConnection.Configuration
}

private struct Folder: Place {
  let path: String

  var gatewayArguments: [String] { ["--bus-folder", path] }
  func workerArguments(_ doors: [String]) -> [String] { ["--bus-folder", path] }
  func client(_ doors: [String]) throws -> BusConnection.Configuration {
    .init(gateways: [try BusEndpoint("ipc://\(path)/clients")])
  }
}

/// Ports that the system chooses, with keys.
private struct Ports: Place {
  private let folder: TemporaryFolder
  private let gateway = CurveKeyPair.generate()
  private let own = CurveKeyPair.generate()

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    let worker = CurveKeyPair.generate()
    try KeyFile.write(gateway, to: folder.file("gateway.key"))
    try KeyFile.write(worker, to: folder.file("worker.key"))
    var list = KeyList()
    try list.add(
      KeyEntry(
        role: .service, publicKey: worker.publicKey, name: "worker",
        rights: KeyRights(serving: .only(["assent.interop.v1.InteropService"]), vouching: .nobody)))
    let grant = KeyEntry.Grant.operator
    try list.add(KeyEntry(role: .client, publicKey: own.publicKey, name: "client", grant: grant))
    try KeyListFile.write(list, to: folder.file("keys"))
  }

  var gatewayArguments: [String] {
    [
      "--services-door", "tcp://127.0.0.1:0", "--clients-door", "tcp://127.0.0.1:0",
      "--bus-key-file", folder.file("gateway.key"), "--bus-key-list", folder.file("keys"),
    ]
  }

  func workerArguments(_ doors: [String]) -> [String] {
    [
      "--services-door", doors[0], "--bus-key-file", folder.file("worker.key"), "--gateway-key", gateway.publicKey.text,
    ]
  }

  func client(_ doors: [String]) throws -> BusConnection.Configuration {
    .init(gateways: [try BusEndpoint(doors[1])], keys: .init(own: own, gateway: gateway.publicKey))
  }
}
