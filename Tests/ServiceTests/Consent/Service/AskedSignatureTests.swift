import ConsentContract
import RPC
import Testing

/// Who has SignatureService asked about a signature.
@Suite("Signatures that SignatureService is asked about")
struct AskedSignatureTests {
  @Test("a walk has SignatureService asked only by whom its session is open to, and only about what was signed")
  func asked() async throws {
    let world = try await World()
    try await world.open()
    let bundle = try await world.offlineBundle()
    let signature = SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace")))
    func walk(of kind: ActionKind) -> SubmitOfflineWalkRequest {
      let action = FlowAction(kind: kind, signature: signature)
      return SubmitOfflineWalkRequest(
        sessionID: bundle.sessionID, bundleHash: "other", actions: Array(repeating: action, count: 2000))
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("mallory").sessions.submitOfflineWalk(walk(of: .sign))
    }
    await expectRefusal(.aborted, "stale_bundle") { try await world.app.sessions.submitOfflineWalk(walk(of: .next)) }
    #expect(world.fields.asked == 0)
    await expectRefusal(.aborted, "stale_bundle") { try await world.app.sessions.submitOfflineWalk(walk(of: .sign)) }
    #expect(world.fields.asked == 1)
    await world.end()
  }

  @Test("a signature in a session or on a record has it asked by nobody whom that is not open to")
  func askedWithConnection() async throws {
    let world = try await World()
    try await world.open()
    let view = try await world.walk { $0.kind == .signature }
    let typed = SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace")))
    let mallory = world.client("mallory").sessions
    let before = world.fields.asked
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await mallory.actOnSession(
        ActOnSessionRequest(
          sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: .sign, signature: typed)))
    }
    let record = try await world.record(of: try await world.goOn(view))
    let asked = world.fields.asked
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await mallory.signRecord(
        SignRecordRequest(recordID: record.recordID, signatureID: "investigator", signature: typed))
    }
    // The name was asked about as well, when it was given.
    #expect(before == 1 && asked == 2 && world.fields.asked == asked)
    await world.end()
  }
}
