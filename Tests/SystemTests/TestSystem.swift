import Base
import Bus
import RPC
import ServiceKit
import Synchronization
import TestSupport
import Testing

/// A gateway and workers as processes of their own, and a client's connection from here: one bus in a private folder.
final class TestSystem: Sendable {
  let folder: TemporaryFolder
  let gateway: RunningProgram
  /// Kept, because a program is killed when its last reference is released.
  private let workers = Mutex<[RunningProgram]>([])

  /// - Parameter arguments: of the gateway, in its folder.
  static func start(_ arguments: (TemporaryFolder) -> [String] = { _ in [] }) async throws -> TestSystem {
    let folder = try TemporaryFolder()
    return TestSystem(folder: folder, gateway: try await startGateway(in: folder, arguments(folder)))
  }

  private init(folder: TemporaryFolder, gateway: RunningProgram) {
    self.folder = folder
    self.gateway = gateway
  }

  var busFolder: String { folder.file("bus") }

  static func startGateway(in folder: TemporaryFolder, _ arguments: [String] = []) async throws -> RunningProgram {
    let gateway = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--ops-listen", "127.0.0.1:0"] + arguments)
    _ = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    return gateway
  }

  /// Starts a worker, which runs as long as the system, and returns when the gateway has accepted it.
  @discardableResult
  func startWorker(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:]
  ) async throws -> RunningProgram {
    let worker = try await RunningProgram.start(
      program, ["--bus-folder", busFolder] + arguments, environment: environment)
    workers.withLock { $0.append(worker) }
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return worker
  }

  func connect() async throws -> BusConnection {
    let connection = try await BusConnection.open(.init(gateways: [BusSettings.socket(.clients, in: busFolder)]))
    try await connection.ready()
    return connection
  }
}
