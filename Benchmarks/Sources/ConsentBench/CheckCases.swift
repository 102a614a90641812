import Base
import BenchKit
import ConsentContract
import ConsentLoad
import InteropContract

/// `CheckConsent` at the highest possible rate.
enum CheckCases {
  private static let inFlight = 64

  static func throughput(_ bench: inout Bench, _ system: ConsentSystem) async throws {
    let flow = try await WalkedFlow.open(on: system)
    try await flow.walkForChecks()
    let (app, echo) = (system.app, system.echo)
    var request = IdempotentUnaryCallRequest()
    request.responseSize = 128
    request.payload = Payload(body: [UInt8](repeating: 7, count: 64))
    let ping = request
    await bench.compare(
      "check", "CheckConsent, 64 in flight, beside an echo of such a size", unit: .perSecond,
      ours: {
        try await perSecond { number in try await app.check(subject: number) }
      },
      peers: [
        "bus_echo": {
          try await perSecond { _ in
            guard try await echo.idempotentUnaryCall(ping).payload?.body.count == 128 else {
              throw CheckFailure("the echo is not of the size that was asked for")
            }
          }
        }
      ])
  }

  private static func perSecond(
    _ call: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let start = Clock.system.monotonic
    let end = start + .seconds(1)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for lane in 0..<inFlight {
        group.addTask(executorPreference: Callers.thread) {
          var count = 0
          while Clock.system.monotonic < end {
            try await call(lane + count)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / (Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e9)
  }
}

struct CheckFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
