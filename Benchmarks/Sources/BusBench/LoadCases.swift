import Base
import BenchKit
import InteropContract
import RPC

/// Twice as many calls as the workers can answer.
enum LoadCases {
  static let rows = ["overload_goodput", "overload_late", "overload_refusal_p99"]

  static func measure(_ bench: inout Bench) async throws {
    try await BusSystem.start(.plain, slots: slots).lend { try await measure(&bench, $0) }
  }

  private static func measure(_ bench: inout Bench, _ system: BusSystem) async throws {
    let capacity = try await capacity(of: system)
    let (calls, start) = try await overload(system, perSecond: 2 * capacity)
    let answered = calls.filter { $0.code == .ok }
    let refused = calls.filter { $0.code == .resourceExhausted }
    guard !refused.isEmpty else { throw BusFailure("nothing was refused at twice the capacity") }
    bench.report(
      "overload_goodput/capacity", "answers a second at twice the capacity; the peer is the capacity", unit: .perSecond,
      value: rate(of: answered.map(\.endedAt), from: start, over: time), peer: "capacity", peerValue: capacity)
    bench.report(
      "overload_late", "admitted calls that got no answer within their deadline",
      unit: Unit("%", lessIsBetter: true),
      value: 100 * Double(calls.count - answered.count - refused.count) / Double(max(1, calls.count - refused.count)))
    bench.report(
      "overload_refusal_p99", "how soon a call is refused that would be too late, p99", unit: .milliseconds,
      value: percentile(0.99, of: refused.map(\.milliseconds)))
  }

  private static let slots = 16
  /// How long twice the capacity is asked for. Answers that come later are not counted: some wait for 400 ms.
  private static let time = Duration.seconds(3)
  private static let deadline = Duration.milliseconds(400)

  private struct Call {
    var code: StatusCode
    var startedAt: MonotonicTime
    var endedAt: MonotonicTime

    var milliseconds: Double { Double((endedAt - startedAt).wholeNanoseconds) / 1e6 }
  }

  /// Work of 10 ms that occupies a slot but no processor, so that slots are the scarce resource.
  private static var request: IdempotentUnaryCallRequest {
    var request = IdempotentUnaryCallRequest()
    request.sleepMs = 10
    return request
  }

  /// Calls a second when another call is always waiting.
  private static func capacity(of system: BusSystem) async throws -> Double {
    let start = Clock.system.monotonic
    let end = start + .seconds(1)
    let calls = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 * slots {
        group.addTask {
          var calls = 0
          while Clock.system.monotonic < end {
            _ = try await system.client.idempotentUnaryCall(request)
            calls += 1
          }
          return calls
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(calls) * 1e9 / Double((Clock.system.monotonic - start).wholeNanoseconds)
  }

  /// Begins calls at their times, whether earlier ones have ended or not.
  private static func overload(
    _ system: BusSystem, perSecond: Double
  ) async throws -> (calls: [Call], start: MonotonicTime) {
    let start = Clock.system.monotonic
    let calls = try await withThrowingTaskGroup(of: Call.self) { group in
      for number in 0..<Int(perSecond * Double(time.wholeMilliseconds) / 1000) {
        let due = start + .nanoseconds(Int64(Double(number) * 1e9 / perSecond))
        let wait = due - Clock.system.monotonic
        if wait > .zero { try await Task.sleep(for: wait, tolerance: .zero) }
        group.addTask { await call(system.client) }
      }
      return try await group.reduce(into: [Call]()) { $0.append($1) }
    }
    // A client that comes to ask for less than twice the capacity has not measured an overload.
    let last = calls.map(\.startedAt).max() ?? start
    guard last - start < time + deadline / 2 else {
      throw BusFailure("the last call began \((last - start).wholeMilliseconds) ms after the first, and was due before")
    }
    return (calls, start)
  }

  private static func call(_ client: InteropServiceClient) async -> Call {
    let start = Clock.system.monotonic
    var code = StatusCode.ok
    do throws(Status) {
      _ = try await client.idempotentUnaryCall(request, deadline: deadline)
    } catch {
      code = error.code
    }
    return Call(code: code, startedAt: start, endedAt: Clock.system.monotonic)
  }
}
