import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A withdrawal that was recorded for a record withdraws the purposes, whatever has become of the record since.
@Suite("A withdrawal always counts", .timeLimit(.minutes(2))) struct WithdrawalCountsTests {
  private func withdraw(_ record: ConsentRecord, _ place: DecisionWorld) async throws -> [ConsentRecord] {
    try await place.world.client(record.subjectID).records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID)
    ).records
  }

  @Test("of a record that a later one has superseded", arguments: TestEngine.allCases)
  func superseded(engine: TestEngine) async throws {
    let place = try await DecisionWorld(engine)
    let first = try await place.decide("s1", Example.documentID, agreed: true)
    let second = try await place.decide("s1", Example.documentID, agreed: true)
    #expect(Set(try await place.records("s1").map(\.state)) == [.superseded, .inForce])
    try await place.expect("research", of: "s1", permittedBy: second.recordID, "before")
    _ = try await withdraw(first, place)
    for purpose in ["research", "contact"] { try await place.expect(purpose, of: "s1", permittedBy: nil, "after") }
    await place.world.end()
  }

  @Test("of a record that only a form has taken the place of, in part or whole")
  func supersededByForm() async throws {
    let place = try await DecisionWorld()
    let first = try await place.decide("s1", DecisionWorld.waiting, agreed: true)
    _ = try await place.decideForm("s1", allowed: true)
    _ = try await withdraw(first, place)
    try await place.expect("contact", of: "s1", permittedBy: nil, "after")
    await place.world.end()
  }

  @Test("of a record that was declined or voided since it was seen: nothing is refused, and a later yes has to be new")
  func ended() async throws {
    let place = try await DecisionWorld()
    let voided = try await place.decide("s1", Example.documentID, agreed: true)
    try await place.void(voided)
    #expect(try await withdraw(voided, place).map(\.recordID) == [voided.recordID])
    let again = try await place.decide("s1", Example.documentID, agreed: true)
    _ = try await withdraw(voided, place)
    try await place.expect("research", of: "s1", permittedBy: nil, "the voided record's purposes")
    #expect(again.recordID != voided.recordID)
    let declined = try await place.decide("s2", Example.documentID, agreed: false)
    #expect(try await withdraw(declined, place).map(\.recordID) == [declined.recordID])
    try await place.expect("research", of: "s2", permittedBy: nil, "declined")
    await place.world.end()
  }

  @Test("the same withdrawal from two devices is done once, and fails nowhere", arguments: TestEngine.allCases)
  func twoDevices(engine: TestEngine) async throws {
    let place = try await DecisionWorld(engine)
    let record = try await place.decide("s1", Example.documentID, agreed: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for device in ["tablet", "phone"] {
        group.addTask {
          _ = try await place.world.client("s1", device: device).records.withdrawConsent(
            WithdrawConsentRequest(recordID: record.recordID),
            options: CallOptions(idempotencyKey: .given("sync/\(device)/a")))
        }
      }
      try await group.waitForAll()
    }
    let history = try #require(try await place.records("s1").first).history
    #expect(history.count { $0.kind == .withdrawn } == 1)
    await place.world.end()
  }
}
