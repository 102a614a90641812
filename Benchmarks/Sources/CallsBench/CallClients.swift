import Base
import BenchKit
import RPC

/// The clients of Assent's doors: on the bus this process, and at the others programs in C++.
actor CallClients {
  private let system: CallsSystem
  private let folder: String
  private let grpc: DoorClient
  private let http: DoorClient

  init(_ system: CallsSystem, _ folder: String) throws {
    let keys = "\(folder)/keys"
    try Files.write(Array(system.keys.joined(separator: "\n").utf8), to: keys)
    self.system = system
    self.folder = folder
    grpc = .grpc(system.installation.grpc, keys: keys)
    http = .http(system.installation.web, keys: keys)
  }

  /// The rate, the median and the 99th percentile of the times, and Assent's processor time per call.
  func measure(_ load: CallLoad, at door: Door) async throws -> [Double] {
    let sample = try await system.sample(of: load.method)
    let requests = try await system.requests(for: load)
    let work = WorkFile(method: load.method, repeats: load.method.repeats, least: sample.leastAnswer)
    let file = "\(folder)/work"
    switch door {
    case .bus: break
    case .grpc: try work.write(requests.map { $0.map(\.binary) }, to: file)
    case .http: try work.write(requests.map { $0.map(\.json) }, to: file)
    }
    try await system.untilIdle()
    let process = system.installation.process
    let path = load.method.descriptor.path
    switch door {
    case .bus:
      let before = try TreeFigures(of: process)
      let (perSecond, times) = try await BusLoad.run(load, requests, least: sample.leastAnswer, on: system)
      let used = try TreeFigures(of: process).cpuTime(since: before)
      return [perSecond, median(times), percentile(0.99, of: times), used.microseconds / Double(times.count)]
    case .grpc: return try await grpc.measure(load, path, file, cpuTimeOf: process)
    case .http: return try await http.measure(load, path, file, cpuTimeOf: process)
    }
  }
}

/// A program that calls at one address.
struct DoorClient {
  private let peer: Peer

  static func grpc(_ port: String, keys: String) -> DoorClient {
    DoorClient(
      peer: .compiled(
        "calls/grpc_client.cc", flags: ["-lgrpc++", "-lgrpc", "-lgpr", "-labsl_synchronization", "-lpthread"],
        arguments: ["127.0.0.1:\(port)", keys]))
  }

  static func http(_ port: String, keys: String) -> DoorClient {
    DoorClient(peer: .compiled("calls/http_client.cc", arguments: [port, keys]))
  }

  /// - Parameter process: what answers, with all that it has started.
  func measure(
    _ load: CallLoad, _ path: String, _ work: String, cpuTimeOf process: Int32
  ) async throws -> [Double] {
    let before = try TreeFigures(of: process)
    let perSecond = try await peer.measure("run \(load.inFlight) \(load.time.wholeMilliseconds) \(path) \(work)")
    let used = try TreeFigures(of: process).cpuTime(since: before)
    return [
      perSecond, try await peer.measure("p50"), try await peer.measure("p99"),
      used.microseconds / (try await peer.measure("count")),
    ]
  }
}

/// The file in which such a program finds what to call, as Benchmarks/Peers/calls/client.h reads it.
struct WorkFile {
  let method: MeasuredMethod
  /// Whether the walks are made again and again.
  let repeats: Bool
  /// The length below which an answer is not the one that was asked for.
  let least: Int

  func write(_ walks: [[[UInt8]]], to path: String) throws {
    var bytes: [UInt8] = []
    for number in [repeats ? 1 : 0, method.changes ? 1 : 0, least, method.calls.count] { bytes.append(number: number) }
    for request in walks.joined() {
      bytes.append(number: request.count)
      bytes += request
    }
    try Files.write(bytes, to: path)
  }
}

extension [UInt8] {
  /// Adds a number as C has it in memory.
  mutating func append(number: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}

extension Duration {
  fileprivate var microseconds: Double { Double(wholeNanoseconds) / 1e3 }
}
