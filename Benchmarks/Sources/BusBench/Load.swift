import Base
import BenchKit
import Bus
import InteropContract
import RPC

/// The load to make, in the shapes that the peers use too (Benchmarks/Peers/bus/load.h).
struct Load {
  var inFlight: Int
  var bytes: Int
  var duration: Duration
  /// Calls a second; nil: a new call follows each answer.
  var pace: Int?

  static let unary64 = Load(inFlight: 64, bytes: 128, duration: .seconds(1))
  static let unary1 = Load(inFlight: 1, bytes: 128, duration: .milliseconds(700))
  static let paced = Load(inFlight: 64, bytes: 128, duration: .seconds(1), pace: 1000)
  static let large = Load(inFlight: 16, bytes: 64 << 10, duration: .seconds(1))

  struct Result {
    var perSecond: Double
    var microseconds: [Double]
  }

  /// Makes calls for the given time, and waits for their answers. Like the peers' loops, the tasks run on one thread.
  func run(on system: BusSystem) async throws -> Result {
    var request = IdempotentUnaryCallRequest()
    request.responseSize = UInt32(bytes)
    var payload = Payload()
    payload.body = [UInt8](repeating: 7, count: bytes)
    request.payload = payload
    let clock = Clock.system
    let start = clock.monotonic
    let latencies =
      if let pace { try await paced(system, request, every: .seconds(1) / pace, from: start) } else {
        try await saturated(system, request, until: start + duration)
      }
    let elapsed = Double((clock.monotonic - start).wholeNanoseconds) / 1e9
    guard !latencies.isEmpty else { throw BusFailure("no call was answered") }
    return Result(perSecond: Double(latencies.count) / elapsed, microseconds: latencies)
  }

  private func saturated(
    _ system: BusSystem, _ request: IdempotentUnaryCallRequest, until end: MonotonicTime
  ) async throws -> [Double] {
    try await collected { group in
      for _ in 0..<inFlight {
        group.addTask(executorPreference: Callers.thread) {
          var latencies: [Double] = []
          var start = Clock.system.monotonic
          while start < end {
            try check(try await system.client.idempotentUnaryCall(request))
            let now = Clock.system.monotonic
            latencies.append(Double((now - start).wholeNanoseconds) / 1e3)
            start = now
          }
          return latencies
        }
      }
    }
  }

  /// Latency counts from the time at which a call was due.
  private func paced(
    _ system: BusSystem, _ request: IdempotentUnaryCallRequest, every interval: Duration,
    from start: MonotonicTime
  ) async throws -> [Double] {
    let count = Int((duration / interval).rounded())
    return try await collected { group in
      for number in 0..<count {
        let due = start + interval * number
        group.addTask(executorPreference: Callers.thread) {
          let wait = due - Clock.system.monotonic
          if wait > .zero { try await Task.sleep(for: wait, tolerance: .zero) }
          try check(try await system.client.idempotentUnaryCall(request))
          return [Double((Clock.system.monotonic - due).wholeNanoseconds) / 1e3]
        }
      }
    }
  }

  /// An answer counts only if it is what was asked for: as many zero bytes.
  private func check(_ answer: IdempotentUnaryCallResponse) throws {
    let body = answer.payload?.body ?? []
    guard body.count == bytes, body.first == 0, body.last == 0 else {
      throw BusFailure("\(bytes) zero bytes were asked for, and \(body.count) others came")
    }
  }

  private func collected(
    _ begin: (inout ThrowingTaskGroup<[Double], any Error>) -> Void
  ) async throws -> [Double] {
    try await withThrowingTaskGroup(of: [Double].self) { group in
      begin(&group)
      var all: [Double] = []
      for try await part in group { all += part }
      return all
    }
  }
}
