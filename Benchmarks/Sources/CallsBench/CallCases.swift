import Base
import BenchKit
import Replay

/// Every method at every door, and the peers' answer to it.
enum CallCases {
  private static let loads = [1, 64]
  private static let aspects = [
    Aspect("", "", .perSecond), Aspect("_p50", ", median", .microseconds), Aspect("_p99", ", p99", .microseconds),
    Aspect("_cpu", ", processor time per call", .microseconds),
  ]
  private static let suffixes = ["", "_p50", "_p99", "_cpu"]

  static func rows(_ engine: String) -> [String] {
    MeasuredMethod.all.flatMap { method in
      loads.flatMap { inFlight in Door.allCases.map { id(method, engine, $0, inFlight) } }
    }.flatMap { row in suffixes.map { row + $0 } }
  }

  private static func id(_ method: MeasuredMethod, _ engine: String, _ door: Door, _ inFlight: Int) -> String {
    "\(method.id)_\(engine)_\(door)_\(inFlight)"
  }

  /// The data of the services that are traced.
  static func tracedData(_ engine: String, _ folder: String) -> String { "\(folder)/traced-\(engine)" }

  /// - Parameter environment: further variables for the programs that are measured.
  static func measure(
    _ bench: inout Bench, _ engine: String, _ folder: String, _ traced: TracedDatabase, environment: [String: String]
  ) async throws {
    let time = Duration.milliseconds(bench.options.number("milliseconds", default: 700))
    bench.begin("\(engine): tracing")
    let walk = try await TracedWalk.record(traced, engine, in: tracedData(engine, folder))
    try await CallsSystem.start(in: "\(folder)/\(engine)", environment: environment).lend { system in
      let clients = try CallClients(system, folder)
      let peer = try await StatementServer.start(engine, traced, walk, folder)
      for method in MeasuredMethod.all {
        bench.begin("\(method.id)_\(engine): preparing")
        for inFlight in loads {
          let load = CallLoad(method: method, inFlight: inFlight, time: time)
          await bench.compare(
            aspects,
            ours: Door.allCases.map { door in
              Contender(
                id(method, engine, door, inFlight), "\(method.name) on \(engine), \(door), \(inFlight) in flight"
              ) {
                try await clients.measure(load, at: door)
              }
            },
            peers: StatementServer.Way.allCases.map { way in
              Contender("\(way)") { try await peer.measure(load, way, like: try await system.sample(of: method)) }
            })
        }
      }
    }
  }
}

/// A door at which methods are called.
enum Door: CaseIterable {
  case bus, grpc, http
}

/// What is asked for in one run.
struct CallLoad {
  let method: MeasuredMethod
  let inFlight: Int
  let time: Duration

  var walks: Int { method.repeats ? method.walks(inFlight) : scaled(method.walks(inFlight)) }

  /// So many for the time as there are for a second.
  func scaled(_ count: Int) -> Int { max(1, Int(Int64(count) * time.wholeMilliseconds / 1000)) }
}
