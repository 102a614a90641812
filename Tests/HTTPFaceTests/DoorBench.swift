import Base
import Bus
import Face
import HTTPFace
import Interop
import RPC
import ServiceKit
import Synchronization
import TestSupport
import Testing

/// A gateway's bus with the door of gRPC and the interoperability service, all in this process.
final class DoorBench {
  private let folder: TemporaryFolder
  let server: BusServer
  let port: UInt16
  let reports: Reports

  /// What the door has reported.
  final class Reports: Sendable {
    private let all = Mutex<[Door.Report]>([])

    func add(_ report: Door.Report) { all.withLock { $0.append(report) } }

    /// How many connections have ended.
    var ends: Int { all.withLock { $0.count { if case .ended = $0 { true } else { false } } } }

    /// Whose connections were refused.
    var refused: [String] {
      all.withLock { $0.compactMap { if case .refused(let address, _) = $0 { address } else { nil } } }
    }

    var calls: [CallRecord] {
      all.withLock { $0.compactMap { if case .call(let record) = $0 { record } else { nil } } }
    }
  }

  /// - Parameter shared: the port to listen at beside others, 0 for any; nil to listen alone.
  static func start(
    _ services: [any RPCService] = [InteropHandlers(instance: "one")], limits: DoorLimits = DoorLimits(),
    tls: TLSServer? = nil, room: GatheringRoom = GatheringRoom(), closed: ClosedCallers = ClosedCallers(),
    news: RevocationNews? = nil, rates: Gatekeeper.Rates = Gatekeeper.Rates(), openCalls: OpenCalls = OpenCalls(),
    shared: UInt16? = nil, isVoid: @escaping @Sendable () -> Bool = { false }
  ) async throws -> DoorBench {
    let folder = try TemporaryFolder()
    let listeners = try GatewayListener.Door.allCases.map {
      GatewayListener($0, try BusEndpoint("ipc://\(folder.file("bus"))/\($0.rawValue)"))
    }
    let server = try await BusServer.start(BusServer.Configuration(name: "gateway", listeners: listeners)) { _ in }
    server.serve(services, slots: 16) { _, _, _ in }
    let catalogue = try Catalogue.builtIn()
    let port = Mutex<UInt16>(0)
    let reports = Reports()
    try await server.attach { callPort in
      let door = try Door(
        [Endpoint(host: "127.0.0.1", port: shared ?? 0)], sharesAddresses: shared != nil, tls: tls, port: callPort,
        catalogue: catalogue,
        gatekeeper: Gatekeeper(
          [TestKey(isVoid: isVoid, followsNews: news != nil)], news: news ?? RevocationNews(), closed: closed,
          rates: rates, openCalls: openCalls),
        limits: limits, room: room, report: { reports.add($0) })
      port.withLock { $0 = door.endpoints[0].port }
      return door
    }
    return DoorBench(folder: folder, server: server, port: port.withLock { $0 }, reports: reports)
  }

  private init(folder: TemporaryFolder, server: BusServer, port: UInt16, reports: Reports) {
    self.folder = folder
    self.server = server
    self.port = port
    self.reports = reports
  }

  /// How many calls are open on the bus.
  func openCalls() async -> Int {
    await server.visit { router, now in router.snapshot(at: now).openCalls } ?? 0
  }

  /// Waits until the number of the bus's open calls is as wanted.
  func untilOpenCalls(_ isWanted: @escaping @Sendable (Int) -> Bool) async throws {
    try await eventually(
      "so many calls are open",
      await server.visit { router, now in isWanted(router.snapshot(at: now).openCalls) } != false)
  }

  /// - Parameter host: the last number of the client's own address, 127.0.0.x.
  func client(
    host: UInt8 = 1, settings: [(id: UInt16, value: UInt32)] = [], receiveBuffer: Int32? = nil
  ) throws -> DoorClient {
    try DoorClient(port: port, host: host, settings: settings, receiveBuffer: receiveBuffer)
  }
}

/// Knows one key of a device, and one that is for a single service.
private struct TestKey: CredentialVerifier {
  /// Set when the keys have been removed.
  let isVoid: @Sendable () -> Bool
  let followsNews: Bool

  func recognises(_ token: String) -> Bool { token.hasPrefix("ak_") }

  func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    let identity = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
    switch isVoid() ? "" : token {
    case DoorClient.token: return VerifiedCaller(identity: identity, account: "test")
    case "ak_health": return VerifiedCaller(identity: identity, scopes: ["grpc.health.v1.Health/*"], account: "health")
    default: throw Status(.unauthenticated, rule: "key_unknown", "nobody has this key")
    }
  }
}
