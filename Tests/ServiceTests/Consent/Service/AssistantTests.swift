import Base
import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import Testing
import Wire

/// Who assisted in a session stays on record when somebody else goes on.
@Suite("Who assisted", .timeLimit(.minutes(2))) struct AssistantTests {
  private func content() -> DocumentContent {
    var content = Example.content()
    content.settings?.signatures.append(SignatureDefinition(id: "witness", role: .witness, order: 2))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "witness", title: "Witness", meaning: "I was there."))
    }
    return content
  }

  private func goOn(
    _ view: SessionView, by clients: ConsentClients, until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> SessionView {
    var view = view
    while let screen = view.screen, !screen.offered.isEmpty, !isThere(screen) {
      let action = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: Walker.goodAction(on: screen), clientSchema: 2
      )
      view = try #require(try await clients.sessions.actOnSession(action).session)
    }
    return view
  }

  @Test("a session that is resumed without help has its assistants on the record, and none of them is its witness")
  func resumed() async throws {
    let world = try await World()
    try await world.open(content: content())
    let (carl, dora) = (world.coordinator, world.client("dora", ["coordinator@heart"]))
    let start = StartSessionRequest(
      flowID: "flow", siteID: "north", subjectID: "s1", clientSchema: 2, assistance: .readsAloud)
    let begun = try #require(try await carl.sessions.startSession(start).session)
    #expect(begun.assistants.map(\.assistedBy) == ["carl"])
    let halfway = try await goOn(begun, by: carl) { $0.kind == .sharing }
    let handed = try #require(
      try await dora.sessions.resumeSession(
        ResumeSessionRequest(sessionID: halfway.sessionID, clientSchema: 2, assistance: .operatesDevice)
      ).session)
    let signing = try await goOn(handed, by: dora) { $0.kind == .signature }
    let person = world.client("s1")
    let alone = try #require(
      try await person.sessions.resumeSession(ResumeSessionRequest(sessionID: signing.sessionID, clientSchema: 2))
        .session)
    #expect(alone.assistedBy.isEmpty && alone.assistants.map(\.assistedBy) == ["carl", "dora"])
    let done = try await goOn(alone, by: person)
    let id = try #require(done.recordIDs.last)
    let record = try #require(try await carl.records.getRecord(GetRecordRequest(recordID: id)).record)
    #expect(record.assistants.map(\.assistedBy) == ["carl", "dora"] && record.assistedBy == "dora")
    #expect(record.assistants.map(\.assistance) == [.readsAloud, .operatesDevice])
    for name in ["carl", "dora"] {
      let witness = world.client(name, ["witness@heart"])
      await expectRefusal(.failedPrecondition, "same_signer") {
        try await witness.sessions.signRecord(
          SignRecordRequest(recordID: record.recordID, signatureID: "witness"))
      }
    }
    let wim = world.client("wim", ["witness@heart"])
    _ = try await wim.sessions.signRecord(SignRecordRequest(recordID: record.recordID, signatureID: "witness"))
    await world.end()
  }
}
