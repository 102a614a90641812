import AccountContract
import Base
internal import Bus
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Merging two accounts of one person, with all three services as processes.
@Suite(.serialized) struct MergedPeopleTests {
  @Test(
    "who stays pulls, reads and withdraws what was consented to under the account that ended, also after a crash",
    .timeLimit(.minutes(3)), arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func keepsBoth(engine: TestEngine) async throws {
    let fleet = try await SyncFleet.start(engine)
    let connection = try await fleet.connect()
    let people = SyncPeople(channel: connection.channel)
    try await people.open(devices: ["tablet"])
    let study = PaperStudy(channel: connection.channel)
    try await study.open()
    let old = try await people.onboard("Ada", device: "tablet")
    let new = try await people.onboard("Ada L.", device: "tablet")
    let record = try await study.consent(old)
    try await people.makeField(Self.field(of: old, "before"), of: old, at: "tablet")
    var copy = SyncCopy()
    try await Self.pull(people, new, into: &copy)
    #expect(copy.states.isEmpty && copy.fieldNames.isEmpty)

    // Neither of the others is there when the accounts are merged: they are told once they are.
    try await fleet.kill(.consent)
    try await fleet.kill(.signature)
    let admin = CallerIdentity(kind: .person, tenant: SyncPeople.tenant, subject: "admin", grants: ["admin@*"])
    _ = try await SyncPeople.retrying { options in
      try await AccountAdminServiceClient(connection.channel.acting(for: admin)).mergePeople(
        MergePeopleRequest(personID: old, intoPersonID: new), options: options)
    }
    try await fleet.replace(.account(0))
    try await fleet.revive(.consent)
    try await fleet.revive(.signature)

    func pulled() async throws -> SyncCopy {
      try await Self.pull(people, new, into: &copy)
      return copy
    }
    try await eventually("both come", await pulled()) { $0.states[record] != nil && !$0.fieldNames.isEmpty }
    #expect(copy.states == [record: .inForce] && copy.fieldNames == ["before"])
    #expect(try await people.record(record, of: new, at: "tablet").subjectID == old)
    #expect(try await study.isPermitted(old))
    #expect(try await study.isPermitted(new))
    // The ended account opens nothing, and nobody else got anything.
    let other = try await people.onboard("Bea", device: "tablet")
    await #expect(throws: Status.self) { try await people.record(record, of: other, at: "tablet") }

    let person = connection.channel.acting(
      for: CallerIdentity(kind: .person, tenant: SyncPeople.tenant, subject: new, device: "tablet"))
    let withdrawn = try await RecordServiceClient(person).withdrawConsent(
      WithdrawConsentRequest(subjectID: new, studyID: PaperStudy.study))
    #expect(withdrawn.records.map(\.recordID) == [record])
    #expect(try await !study.isPermitted(old))
    #expect(try await !study.isPermitted(new))
    try await Self.pull(people, new, into: &copy)
    #expect(copy.states == [record: .withdrawn])

    // What SignatureService alone erases leaves the device, and nothing else does.
    _ = try await SyncPeople.retrying { options in
      try await SignatureServiceClient(connection.channel.acting(for: admin)).eraseSignatures(
        EraseSignaturesRequest(subjectID: old, reason: "asked for"), options: options)
    }
    try await eventually("the fields go", await pulled()) { $0.fieldNames.isEmpty }
    #expect(copy.states == [record: .withdrawn])
    try await connection.close()
    try await fleet.stop()
  }

  private static func field(of person: String, _ name: String) -> CreateFieldRequest {
    CreateFieldRequest(reference: FieldReference(subjectID: person), settings: FieldSettings(header: name))
  }

  private static func pull(_ people: SyncPeople, _ person: String, into copy: inout SyncCopy) async throws {
    let client = SyncServiceClient(people.person(person, at: "tablet"))
    do {
      for try await answer in try client.pullChanges(PullChangesRequest(cursor: copy.cursor)) { copy.take(answer) }
    } catch {
      // While a service is away, the pull goes on later from the same cursor.
      guard isPassing(error) else { throw error }
    }
  }
}
