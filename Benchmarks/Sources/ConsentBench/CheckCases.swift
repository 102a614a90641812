import Base
import BenchKit
import ConsentContract
import ConsentLoad
import InteropContract

/// `CheckConsent` at the highest possible rate, and how soon a withdrawal is known everywhere.
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
        try await perSecond(on: system.callers) { number in try await app.check(subject: number) }
      },
      peers: [
        "bus_echo": {
          try await perSecond(on: system.callers) { _ in
            guard try await echo.idempotentUnaryCall(ping).payload?.body.count == 128 else {
              throw CheckFailure("the echo is not of the size that was asked for")
            }
          }
        }
      ])
  }

  private static func perSecond(
    on executor: any TaskExecutor, _ call: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let start = Clock.system.monotonic
    let end = start + .seconds(1)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for lane in 0..<inFlight {
        group.addTask(executorPreference: executor) {
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

  /// The time from the answer to a withdrawal on one replica until the other answers no.
  static func withdrawal(_ bench: inout Bench, _ here: ConsentSystem, _ there: ConsentSystem) async throws {
    let flow = try await WalkedFlow.open(on: here)
    let other = there.app
    await bench.measure(
      "withdrawal_seen", "until a withdrawal counts on the other replica (PostgreSQL)", unit: .milliseconds
    ) {
      let subject = "leaves-\(Randomness.system.word())"
      try await flow.walk(subject: subject)
      let question = CheckConsentRequest(
        studyID: WalkedFlow.study, subjectID: subject, purpose: WalkedFlow.purpose)
      while try await other.records.checkConsent(question).answer?.permitted != true {}
      _ = try await here.app.records.withdrawConsent(
        WithdrawConsentRequest(subjectID: subject, studyID: WalkedFlow.study))
      let start = Clock.system.monotonic
      while try await other.records.checkConsent(question).answer?.permitted == true {}
      return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
    }
  }
}

struct CheckFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
