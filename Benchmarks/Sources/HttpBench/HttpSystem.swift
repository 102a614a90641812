import Base
import BenchKit

/// A gateway with both doors and a worker, each a process, and a key for them.
final class HttpSystem: Sendable, Stoppable {
  let gateway: ChildProcess
  let key: String
  /// The ports of the doors.
  let web: String
  let grpc: String
  private let worker: ChildProcess
  let folder: TemporaryFolder

  static func start() async throws -> HttpSystem {
    let folder = try TemporaryFolder()
    try ConnectCases.writeBodies(to: folder)
    let list = ["--api-key-list", folder.file("api-keys")]
    let key = try await Program.key("bench", list)
    let bus = ["--bus-folder", folder.file("bus")]
    let (gateway, ready) = try await Program.startHeard(
      "gateway",
      bus + list + ["--http-listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0", "--key-rate", "0"])
    guard let web = Program.port(of: "http://", in: ready), let grpc = Program.port(of: "grpc ", in: ready) else {
      throw HttpFailure("the gateway announced other doors: \(ready)")
    }
    let worker = try await Program.start("InteropService", bus + ["--slots", "64"])
    return HttpSystem(gateway: gateway, key: key, web: web, grpc: grpc, worker: worker, folder: folder)
  }

  private init(
    gateway: ChildProcess, key: String, web: String, grpc: String, worker: ChildProcess, folder: TemporaryFolder
  ) {
    (self.gateway, self.key, self.web, self.grpc) = (gateway, key, web, grpc)
    (self.worker, self.folder) = (worker, folder)
  }

  /// gRPC C++ as the client of this gateway.
  var grpcClient: Peer { .grpc("gateway", "127.0.0.1:\(grpc)", key) }

  var processes: [Int32] { [gateway.id, worker.id] }

  func resident() throws -> Int { try ProcessFigures(process: gateway.id).residentBytes }

  func stop() async {
    await worker.stop()
    await gateway.stop()
  }
}

/// Why a case cannot be measured.
struct HttpFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
