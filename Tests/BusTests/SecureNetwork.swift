import Base
import Bus
import InteropContract
import RPC

/// A gateway on TCP with keys for a worker and a client.
final class SecureNetwork {
  let folder: TemporaryFolder
  let gateway = CurveKeyPair.generate()
  let worker = CurveKeyPair.generate()
  let client = CurveKeyPair.generate()
  private var keys = KeyList()

  init() throws {
    folder = try TemporaryFolder()
    try list { list in
      try list.add(
        KeyEntry(
          role: .service, publicKey: worker.publicKey, name: "worker-1",
          rights: KeyRights(serving: .only([InteropServiceMethods.service.name]), vouching: .anybody)))
      try list.add(
        KeyEntry(
          role: .client, publicKey: client.publicKey, name: "kiosk",
          grant: .init(tenant: "acme", kind: .device)))
    }
  }

  func list(_ change: (inout KeyList) throws -> Void) throws {
    try change(&keys)
    try KeyListFile.write(keys, to: folder.file("keys"))
  }

  /// A gateway with both doors at each of `places`, the services' doors first.
  ///
  /// - Parameter ports: what PORT in a place is replaced by, for services and for clients.
  func startServer(
    at places: [String] = ["tcp://127.0.0.1:0"], ports: [String] = ["0", "0"],
    report: @escaping @Sendable (BusServer.Report) -> Void = { _ in }
  ) async throws -> BusServer {
    let listeners = try zip(GatewayListener.Door.allCases, ports).flatMap { door, port in
      try places.map { place in
        let place = place.replacing("DOOR", with: door.rawValue).replacing("PORT", with: port)
        return GatewayListener(door, try BusEndpoint(place))
      }
    }
    var configuration = BusServer.Configuration(name: "gateway-1", listeners: listeners)
    configuration.keys = gateway
    configuration.keyListPath = folder.file("keys")
    configuration.router.timings.missesUntilDead = LocalNetwork.missesUntilDead
    return try await BusServer.start(configuration, report: report)
  }

  func configuration(
    of server: BusServer, _ door: GatewayListener.Door, _ own: CurveKeyPair
  ) throws -> BusConnection.Configuration {
    let half = server.endpoints.count / 2
    let doors = door == .services ? server.endpoints.prefix(half) : server.endpoints.suffix(half)
    return .init(gateways: try doors.map { try BusEndpoint($0) }, keys: .init(own: own, gateway: gateway.publicKey))
  }
}
