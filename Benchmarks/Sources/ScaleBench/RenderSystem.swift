internal import Base
internal import BenchKit
internal import Wire

/// A gateway and render workers as processes of their own, and a client's connection from here.
actor RenderSystem {
  private let folder: TemporaryFolder
  private let gateway: ChildProcess
  private var workers: [ChildProcess] = []
  private let connection: BusConnection
  private let threads: Int
  nonisolated let client: RenderServiceClient

  /// - Parameter workers: each draws with one thread, so that it uses one core. They remember no picture: every call draws.
  init(workers: Int, threads: Int = 1) async throws {
    folder = try TemporaryFolder(named: "assent-scale")
    self.threads = threads
    let bus = folder.file("bus")
    gateway = try await Self.start("gateway", ["--bus-folder", bus])
    connection = try await BusConnection.open(.init(gateways: [try BusEndpoint("ipc://\(bus)/clients")]))
    try await connection.ready()
    client = RenderServiceClient(connection.channel)
    for _ in 0..<workers { try await addWorker() }
  }

  func addWorker() async throws {
    workers.append(
      try await Self.start(
        "SignatureService",
        [
          "--render-only", "--bus-folder", folder.file("bus"), "--picture-cache", "0", "--render-threads", "\(threads)",
          "--log-level", "error",
        ]))
  }

  /// Kills the oldest worker as the kernel would, and starts another.
  func replaceWorker() async throws {
    let victim = workers.removeFirst()
    victim.send(.kill)
    await victim.wait()
    try await addWorker()
  }

  /// What has been computed for pictures so far, and where.
  func effort() throws -> Effort {
    Effort(
      client: try ProcessFigures.own().cpuTime, gateway: try ProcessFigures(process: gateway.id).cpuTime,
      workers: try workerFigures().reduce(.zero) { $0 + $1.cpuTime })
  }

  func workerFigures() throws -> [ProcessFigures] { try workers.map { try ProcessFigures(process: $0.id) } }

  func stop() async throws {
    try await connection.close()
    for process in workers + [gateway] { await process.stop() }
  }

  /// Starts a program that was built for this, and returns when it says that it is ready.
  private static func start(_ program: String, _ arguments: [String]) async throws -> ChildProcess {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    var command = ChildCommand(Programs.path(program), arguments)
    command.output = .lines { continuation.yield($0) }
    let process = try await ChildProcess.start(command)
    Task {
      await process.wait()
      continuation.finish()
    }
    for await line in lines where line.hasPrefix("ready") { return process }
    throw ProgramFailed(program: program)
  }
}

/// Processor time of the parts of a system.
struct Effort {
  var client: Duration
  var gateway: Duration
  var workers: Duration
}

struct ProgramFailed: Error, CustomStringConvertible {
  let program: String
  var description: String { "\(program) ended before it was ready" }
}

/// The programs that are measured, built like this one.
enum Programs {
  private static let folder = Repository.path(".build/benchmarks")

  static func path(_ name: String) -> String { "\(folder)/release/\(name)" }

  static func build(_ names: [String]) async throws {
    for name in names {
      let package = Repository.path("Benchmarks")
      var command = ChildCommand(
        "swift", ["build", "-c", "release", "--package-path", package, "--scratch-path", folder, "--product", name])
      command.output = .discarded
      guard await (try ChildProcess.start(command)).wait().isSuccess else { throw ProgramFailed(program: name) }
    }
  }
}
