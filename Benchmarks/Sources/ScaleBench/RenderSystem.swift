internal import Base
internal import BenchKit
internal import Bus
internal import Ink
internal import InkSamples
internal import RPC
internal import SignatureContract

/// A gateway and render workers as processes of their own, and a client's connection from here.
actor RenderSystem: Stoppable {
  private let folder: TemporaryFolder
  private let gateway: ChildProcess
  private var workers: [ChildProcess] = []
  private let connection: BusConnection
  private let threads: Int
  nonisolated let client: RenderServiceClient

  /// - Parameter workers: each draws with one thread, so that it uses one core. They cache no pictures: every call
  /// draws.
  init(workers: Int, threads: Int = 1) async throws {
    folder = try TemporaryFolder(named: "assent-scale")
    self.threads = threads
    let bus = folder.file("bus")
    gateway = try await Program.start("gateway", ["--bus-folder", bus])
    connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    client = Self.client(of: connection, as: "pad")
    for _ in 0..<workers { try await addWorker() }
  }

  /// What `assent up` starts: gateway, databases and processes of the signature service alone.
  ///
  /// - Parameter up: how many of these, each drawing on one thread; nil: as many as it starts by itself, with all
  /// defaults.
  init(up processes: Int?) async throws {
    folder = try TemporaryFolder(named: "assent-scale")
    threads = 1
    let data = folder.file("data")
    var words = [
      "up", "--data", data, "--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0", "--consent", "0",
      "--account", "0",
    ]
    if let processes { words += ["--signature", "\(processes)"] }
    gateway = try await Program.start(
      "assent", words, environment: processes == nil ? [:] : ["ASSENT_RENDER_THREADS": "1"], until: "Ctrl-C")
    connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(data)/bus/clients")]))
    try await connection.ready()
    client = Self.client(of: connection, as: "pad")
  }

  /// A small picture, as most are.
  static let usualBlob = StrokeBlob(SampleSignature.reference.ink).bytes

  /// A caller of its own.
  func client(as device: String) -> RenderServiceClient { Self.client(of: connection, as: device) }

  private static func client(of connection: BusConnection, as device: String) -> RenderServiceClient {
    let caller = CallerIdentity(kind: .device, tenant: "bench", subject: device, device: device)
    return RenderServiceClient(connection.channel.acting(for: caller))
  }

  func addWorker() async throws {
    workers.append(
      try await Program.start(
        "SignatureService",
        [
          "--render-only", "--bus-folder", folder.file("bus"), "--picture-cache", "0", "--render-threads", "\(threads)",
        ]))
  }

  /// Kills the oldest worker as the kernel would, and starts another.
  func replaceWorker() async throws {
    let victim = workers.removeFirst()
    victim.send(.kill)
    await victim.wait()
    try await addWorker()
  }

  /// The processor time that pictures have taken so far, by process.
  func effort() throws -> Effort {
    Effort(
      client: try ProcessFigures.own().cpuTime, gateway: try ProcessFigures(process: gateway.id).cpuTime,
      workers: try workerFigures().reduce(.zero) { $0 + $1.cpuTime })
  }

  func workerFigures() throws -> [ProcessFigures] { try workers.map { try ProcessFigures(process: $0.id) } }

  var processIDs: [Int32] { (workers + [gateway]).map(\.id) }

  func stop() async throws {
    try await connection.close()
    for process in workers + [gateway] { await process.stop() }
  }
}

/// Processor time of the parts of a system.
struct Effort {
  var client: Duration
  var gateway: Duration
  var workers: Duration
}
