import AccountContract
import Base
import BenchKit
import ConsentLoad
import RPC

/// `CheckConsent` while sign-ins fill the pool that checks passcodes, beside the same without them.
enum StormCases {
  private static let people = 32

  static func measure(_ bench: inout Bench, data: String) async throws {
    // Passcodes cost what they cost by default.
    try await SyncSystem.start(data, passcodeCost: []).lend { try await measure(&bench, $0) }
  }

  private static func measure(_ bench: inout Bench, _ system: SyncSystem) async throws {
    let flow = try await WalkedFlow.open(on: system.consent)
    try await flow.walkForChecks()
    var signIns: [@Sendable () async throws -> Void] = []
    for number in 0..<people {
      let device = try await system.device("storm-\(number)", people: 1)
      let client = SignInServiceClient(system.channel(.device, device.id, device: device.id))
      guard let person = device.people.first?.id else { throw SyncFailure("nobody is on the device") }
      signIns.append {
        _ = try await client.signIn(SignInRequest(personID: person, passcode: SyncSystem.passcode))
      }
    }
    let storm = signIns
    let app = system.consent.app
    let p99: @Sendable () async throws -> Double = {
      try await SteadyCalls.p99 { number in try await app.check(subject: number) }
    }
    await bench.compare(
      "storm_p99", "CheckConsent at 200/s: its p99 while \(people) devices sign in again and again",
      unit: .milliseconds,
      // The pool of passcodes is full after a second.
      ours: { try await Storm.during(storm, rise: .seconds(1), p99) },
      peers: [
        "quiet": {
          // Passcodes that were taken up are checked to the end.
          try await Idleness.wait(for: system.processIDs)
          return try await p99()
        }
      ])
  }
}
