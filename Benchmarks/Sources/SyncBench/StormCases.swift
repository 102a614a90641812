import AccountContract
import Base
import BenchKit
import ConsentContract
import ConsentLoad
import RPC

/// `CheckConsent` while sign-ins fill the pool that checks passcodes, beside the same without them.
enum StormCases {
  private static let people = 32

  static func measure(_ bench: inout Bench, data: String) async throws {
    guard bench.selects("storm_p99") else { return }
    // Passcodes cost what they cost by default.
    let system = try await SyncSystem.start(data, passcodeCost: [])
    let flow = try await WalkedFlow.open(on: system.consent)
    for subject in 0..<100 { try await flow.walk(subject: "checked-\(subject)") }
    var devices: [SyncDevice] = []
    for number in 0..<people { devices.append(try await system.device("storm-\(number)", people: 1)) }
    let storming = devices
    try await bench.compare(
      "storm_p99", "CheckConsent at 200/s: its p99 while \(people) devices sign in again and again",
      unit: .milliseconds,
      ours: { try await during(storming, system) { try await p99(system) } },
      peers: ["quiet": { try await p99(system) }])
    try await system.stop()
  }

  private static func p99(_ system: SyncSystem) async throws -> Double {
    let app = system.consent.app
    return try await SteadyCalls.p99 { number in
      let question = CheckConsentRequest(
        studyID: WalkedFlow.study, subjectID: "checked-\(number % 100)", purpose: WalkedFlow.purpose)
      _ = try await app.records.checkConsent(question)
    }
  }

  /// Devices sign in as fast as they get answers until the body has ended.
  private static func during<Answer>(
    _ devices: [SyncDevice], _ system: SyncSystem, _ body: () async throws -> Answer
  ) async throws -> Answer {
    let storms = devices.map { device in
      Task {
        let client = SignInServiceClient(system.channel(.device, device.id, device: device.id))
        while !Task.isCancelled {
          for person in device.people {
            _ = try? await client.signIn(SignInRequest(personID: person.id, passcode: SyncSystem.passcode))
          }
        }
      }
    }
    defer { for storm in storms { storm.cancel() } }
    // Until the pool is full.
    try await Task.sleep(for: .seconds(1))
    return try await body()
  }
}
