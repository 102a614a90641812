import Base
import BenchKit
import Replay

/// The peer: a server of gRPC C++ that executes the statements of a traced walk, and nginx before it.
actor StatementServer {
  /// How a client reaches it.
  enum Way: CustomStringConvertible, CaseIterable {
    case direct, nginx

    var description: String { self == .direct ? "grpc_direct" : "grpc_nginx" }
  }

  private let server: Peer
  private let process: Int32
  private let clients: [Way: DoorClient]
  private let folder: String
  /// The walk after all that were made: far behind the traced ones, since the services went on after these.
  private var nextWalk = 1000
  /// Walks that are there already, of methods whose calls change nothing.
  private var known: [String: Range<Int>] = [:]

  /// - Parameter walk: the file with the data of the traced walk.
  static func start(
    _ engine: String, _ traced: TracedDatabase, _ walk: String, _ folder: String
  ) async throws -> StatementServer {
    // As many connections as Assent's services have.
    let (libraries, connections) =
      engine == "sqlite" ? (["-lsqlite3"], "4") : (["-I/usr/include/postgresql", "-lpq"], "16")
    let server = Peer.compiled(
      "calls/server_\(engine).cc",
      flags: [
        "-DWALK=\"\(walk)\"", "-DSIGNATURE_CALLS_FROM=\(TracedWalk.firstOfSignatures)", "-lgrpc++", "-lgrpc", "-lgpr",
        "-labsl_synchronization", "-lpthread",
      ] + libraries,
      arguments: [traced.place(of: "consent"), traced.place(of: "signature"), connections])
    let (direct, nginx) = (try await server.measure("port"), try await server.measure("nginx_port"))
    let process = Int32(try await server.measure("process"))
    let keys = "\(folder)/keys"
    return StatementServer(
      server, process,
      [.direct: .grpc("\(Int(direct))", keys: keys), .nginx: .grpc("\(Int(nginx))", keys: keys)], folder)
  }

  private init(_ server: Peer, _ process: Int32, _ clients: [Way: DoorClient], _ folder: String) {
    (self.server, self.process, self.clients, self.folder) = (server, process, clients, folder)
  }

  /// - Parameter sample: how long the requests and the answers of a walk are.
  func measure(_ load: CallLoad, _ way: Way, like sample: [Sample]) async throws -> [Double] {
    let numbers = try await walks(for: load)
    let requests = numbers.map { number -> [[UInt8]] in
      zip(load.method.calls, sample).map { call, length -> [UInt8] in
        var request: [UInt8] = []
        for field in [call, number, length.answer] { request.append(number: field) }
        return request + [UInt8](repeating: 0, count: max(0, length.request - request.count))
      }
    }
    let work = "\(folder)/work"
    try WorkFile(method: load.method, repeats: !load.method.changes, least: sample.leastAnswer)
      .write(requests, to: work)
    try await Idleness.wait(for: try ProcessTree.all(of: process), window: .milliseconds(200))
    guard let client = clients[way] else { throw CallsFailure("there is no way \(way)") }
    return try await client.measure(load, "/bench.Calls/Call", work, cpuTimeOf: process)
  }

  /// Walks of which everything is done that comes before the calls.
  private func walks(for load: CallLoad) async throws -> Range<Int> {
    let method = load.method
    if let walks = known[method.id] { return walks }
    // It may well be faster.
    let count =
      !method.changes ? 96 : method.preparation.isEmpty ? load.scaled(20_000) : 3 * load.walks
    let walks = nextWalk..<nextWalk + count
    nextWalk += count
    if !method.preparation.isEmpty {
      let (from, to) = (method.preparation.lowerBound, method.preparation.upperBound)
      _ = try await server.measure("prepare \(from) \(to) \(walks.lowerBound) \(count)")
    }
    if !method.changes { known[method.id] = walks }
    return walks
  }
}
