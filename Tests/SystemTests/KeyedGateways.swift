import Base
import Bus
import TestSupport
import Testing

/// Gateways on TCP with one list of keys, all made with `assent keys`.
struct KeyedGateways {
  let folder: TemporaryFolder
  /// The key by which peers recognise the gateways.
  let publicKey: String
  private(set) var gateways: [Gateway] = []

  struct Gateway {
    let process: RunningProgram
    let servicesDoors: [String]
    let clientsDoors: [String]
    /// nil where the gateway has no door for HTTP.
    let httpAddress: String?
  }

  /// - Parameters:
  ///   - hosts: for each gateway, the addresses at which it has both of its doors.
  ///   - descriptors: how many descriptors a gateway may have; nil: as many as this process.
  ///   - arguments: further settings of each gateway.
  static func start(
    at hosts: [[String]], descriptors: Int? = nil, _ arguments: [String] = []
  ) async throws -> KeyedGateways {
    let folder = try TemporaryFolder()
    var system = KeyedGateways(folder: folder, publicKey: try await makeKeys(in: folder))
    for hosts in hosts { try await system.add(at: hosts, descriptors: descriptors, arguments) }
    return system
  }

  /// Makes and lists keys of a gateway, a worker and a client; returns the gateway's public one.
  static func makeKeys(in folder: TemporaryFolder) async throws -> String {
    let publicKey = try await keys(in: folder, "generate", folder.file("gateway.key"))
    _ = try await keys(in: folder, "generate", folder.file("worker.key"))
    _ = try await keys(
      in: folder, "allow", "worker", "--role", "service", "--key-file", folder.file("worker.key"),
      "--serves", "assent.interop.v1.InteropService")
    _ = try await keys(in: folder, "generate", folder.file("client.key"))
    _ = try await keys(
      in: folder, "allow", "kiosk", "--key-file", folder.file("client.key"), "--kind", "operator")
    return publicKey
  }

  private init(folder: TemporaryFolder, publicKey: String) {
    self.folder = folder
    self.publicKey = publicKey
  }

  private mutating func add(at hosts: [String], descriptors: Int?, _ arguments: [String]) async throws {
    let doors = hosts.map { "tcp://\($0):0" }.joined(separator: ",")
    let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
    let process = try await RunningProgram.start(
      program: "bash",
      [
        "-c", "\(limit)exec \"$@\"", "bash", Products.program("gateway"), "--services-door", doors, "--clients-door",
        doors, "--bus-key-file", folder.file("gateway.key"), "--bus-key-list", folder.file("keys"),
      ] + arguments)
    let ready = try #require(await process.line(containing: "ready"), "\(process.logLines)")
    let places = ready.split(separator: " ").map(String.init)
    let endpoints = places.filter { $0.hasPrefix("tcp://") }
    try #require(endpoints.count == 2 * hosts.count, "\(ready)")
    gateways.append(
      Gateway(
        process: process, servicesDoors: Array(endpoints.prefix(hosts.count)),
        clientsDoors: Array(endpoints.suffix(hosts.count)),
        httpAddress: places.first { $0.hasPrefix("http://") }))
  }

  /// A client of the first gateway, with the keys in `file`, or with keys that nobody knows.
  func connect(keys file: String?) async throws -> BusConnection {
    let own = try file.map { try KeyFile.read(folder.file($0)) } ?? CurveKeyPair.generate()
    let gateway = try #require(CurvePublicKey(text: publicKey))
    return try await BusConnection.open(
      .init(
        gateways: try gateways[0].clientsDoors.map { try BusEndpoint($0) }, keys: .init(own: own, gateway: gateway)))
  }

  /// A process of InteropService at the first gateway.
  func startWorker() async throws -> RunningProgram {
    let worker = try await RunningProgram.start(
      "InteropService",
      [
        "--services-door", gateways[0].servicesDoors[0], "--bus-key-file", folder.file("worker.key"),
        "--gateway-key", publicKey, "--instance", "interop-1", "--slots", "3",
      ])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return worker
  }

  /// The variables by which the Python programs find everything.
  var environment: [String: String?] {
    [
      "ASSENT_SERVICES_DOORS": gateways.flatMap(\.servicesDoors).joined(separator: ","),
      "ASSENT_CLIENTS_DOORS": gateways.flatMap(\.clientsDoors).joined(separator: ","),
      "ASSENT_GATEWAY_PROCESSES": gateways.map { "\($0.process.id)" }.joined(separator: ","),
      "ASSENT_WORKER_KEY_FILE": folder.file("worker.key"),
      "ASSENT_CLIENT_KEY_FILE": folder.file("client.key"),
      "ASSENT_GATEWAY_KEY": publicKey,
    ]
  }

  /// Runs `assent keys`; returns its last line, which is the public key if one was made.
  @discardableResult
  static func keys(in folder: TemporaryFolder, _ arguments: String...) async throws -> String {
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"), ["keys"] + arguments + ["--bus-key-list", folder.file("keys")]))
    try #require(exit.isSuccess, "assent keys \(arguments): \(lines)")
    return lines.last ?? ""
  }
}
