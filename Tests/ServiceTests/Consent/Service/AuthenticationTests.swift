import Base
import ConsentContract
import ConsentDomain
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A fresh authentication before a signature, asserted by a verifier of the study (21 CFR 11.200).
@Suite("Re-authentication")
struct AuthenticationTests {
  private let verifier: SigningKey
  private let stranger: SigningKey

  init() throws {
    verifier = try #require(SigningKey(seed: [UInt8](repeating: 1, count: 32)))
    stranger = try #require(SigningKey(seed: [UInt8](repeating: 2, count: 32)))
  }

  private func proof(
    _ challenge: [UInt8], key: SigningKey? = nil, change: (inout AuthenticationAssertion) -> Void = { _ in }
  ) throws -> Reauthentication {
    var assertion = AuthenticationAssertion(
      challenge: challenge, verifierID: "idp", signer: "s1", method: "passcode",
      authenticatedAt: Timestamp(Example.now))
    change(&assertion)
    let bytes = try assertion.encoded()
    return Reauthentication(
      assertion: bytes, signature: (key ?? verifier).sign(AuthenticationRules.signedBytes(of: bytes)))
  }

  private func open(
    _ world: World, content: DocumentContent = Example.content(), verifiers: Bool = true,
    change: (inout ConsentStudy) -> Void = { _ in }
  ) async throws {
    var content = content
    for index in content.settings?.signatures.indices ?? 0..<0 {
      content.settings?.signatures[index].requiresReauthentication = true
    }
    try await world.open(content: content)
    guard verifiers else { return }
    let known = AuthenticationVerifier(verifierID: "idp", publicKey: verifier.verifyingKey.bytes)
    var study = ConsentStudy(studyID: World.study, name: "Heart", verifiers: [known])
    change(&study)
    _ = try await world.admin.studies.updateStudy(UpdateStudyRequest(study: study))
  }

  private func sign(_ proof: Reauthentication?) -> FlowAction {
    FlowAction(
      kind: .sign,
      signature: SignatureInput(
        image: .typed(TypedSignature(text: "Ada Lovelace", font: "plain")), reauthentication: proof))
  }

  @Test(
    "a missing, forged, stale, foreign or misplaced assertion is refused; a right one goes on record")
  func session() async throws {
    let world = try await World()
    try await open(world)
    let view = try await world.walk { $0.kind == .signature }
    let form = try #require(view.screen?.signatureForm)
    #expect(form.requiresReauthentication && form.challenge.count == 32)
    let now = Example.now
    let challenge = form.challenge
    let refused: [(String, Reauthentication?)] = [
      ("reauthentication_required", nil),
      ("reauthentication_required", Reauthentication()),
      ("unknown_verifier", try proof(challenge) { $0.verifierID = "another" }),
      ("assertion_forged", try proof(challenge, key: stranger)),
      ("assertion_forged", Reauthentication(assertion: try proof(challenge).assertion, signature: [1, 2, 3])),
      ("assertion_for_another", try proof([UInt8](repeating: 0, count: 32))),
      ("other_signer", try proof(challenge) { $0.signer = "s2" }),
      ("reauthentication_stale", try proof(challenge) { $0.authenticatedAt = Timestamp(now + .seconds(-301)) }),
      ("reauthentication_stale", try proof(challenge) { $0.authenticatedAt = Timestamp(now + .seconds(61)) }),
    ]
    for (rule, given) in refused {
      await expectRefusal(.failedPrecondition, rule) { try await world.act(view, sign(given)) }
    }
    await expectRefusal(.invalidArgument, "bad_assertion") {
      try await world.act(view, sign(Reauthentication(assertion: [0xff, 0xff], signature: [])))
    }
    await expectRefusal(.invalidArgument, "bad_assertion") {
      try await world.act(view, sign(try proof(challenge) { $0.method = "" }))
    }
    for signer in ["maria@example.org", String(repeating: "s", count: 129)] {
      let named = try proof(challenge) { $0.signer = signer }
      await expectRefusal(.invalidArgument, "bad_name") { try await world.act(view, sign(named)) }
    }
    let unchanged = try await world.app.sessions.getSession(GetSessionRequest(sessionID: view.sessionID)).session
    #expect(unchanged?.version == view.version, "a refusal changes nothing")

    let given = try proof(challenge)
    let end = try await world.goOn(try await world.act(view, sign(given)))
    let record = try await world.record(of: end)
    let kept = try #require(record.signatures.first?.authentication)
    #expect(kept.method == "passcode" && kept.signer == "s1" && kept.verifierID == "idp")
    #expect(kept.authenticatedAt == Timestamp(now) && kept.proof == given)
    // The record alone is enough to verify it again.
    let bytes = kept.proof?.assertion ?? []
    let key = try #require(VerifyingKey(bytes: kept.publicKey))
    #expect(key.verifies(kept.proof?.signature ?? [], of: AuthenticationRules.signedBytes(of: bytes)))
    await world.end()
  }

  @Test("every session has its own challenge, so an assertion cannot be used twice")
  func replay() async throws {
    let world = try await World()
    try await open(world)
    let first = try await world.walk { $0.kind == .signature }
    let second = try await world.walk { $0.kind == .signature }
    let used = try proof(try #require(first.screen?.signatureForm?.challenge))
    _ = try await world.act(first, sign(used))
    await expectRefusal(.failedPrecondition, "assertion_for_another") { try await world.act(second, sign(used)) }
    await world.end()
  }

  @Test("a counter-signer authenticates too, by the challenge of the task")
  func counterSign() async throws {
    let world = try await World()
    try await open(world)
    let view = try await world.walk { $0.kind == .signature }
    let challenge = try #require(view.screen?.signatureForm?.challenge)
    let record = try await world.record(of: try await world.goOn(try await world.act(view, sign(try proof(challenge)))))
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
      .tasks
    let task = try #require(tasks.first)
    var request = SignRecordRequest(
      recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
      signature: SignatureInput(image: .typed(TypedSignature(text: "Ines Ito", font: "plain"))))
    await expectRefusal(.failedPrecondition, "reauthentication_required") {
      try await world.investigator.sessions.signRecord(request)
    }
    request.signature?.reauthentication = try proof(task.challenge)
    await expectRefusal(.failedPrecondition, "other_signer") {
      try await world.investigator.sessions.signRecord(request)
    }
    request.signature?.reauthentication = try proof(task.challenge) { $0.signer = "ines" }
    let signed = try #require(try await world.investigator.sessions.signRecord(request).record)
    #expect(signed.signatures.last?.authentication?.signer == "ines")
    await world.end()
  }

  @Test("a guardian who signs in a session is one on record; where none is, anybody but the subject")
  func guardian() async throws {
    let world = try await World()
    try await open(world, content: MajorityTests.contentForMinors())
    func signing() async throws -> SessionView {
      let child = CalendarDate(year: 2016, month: 1, day: 1)
      let start = try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: child))
      return try await world.goOn(try #require(start.session)) { $0.kind == .signature }
    }
    func sign(_ view: SessionView, as signer: String) async throws -> SessionView {
      let challenge = try #require(view.screen?.signatureForm?.challenge)
      return try await world.act(view, self.sign(try proof(challenge) { $0.signer = signer }))
    }
    let unknown = try await signing()
    await expectRefusal(.failedPrecondition, "other_signer") { try await sign(unknown, as: "s1") }
    let first = try await world.record(of: try await world.goOn(try await sign(unknown, as: "eve")))
    #expect(first.signatures.map(\.personID) == ["eve"])
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: "gil", authority: .parent))
    let known = try await signing()
    await expectRefusal(.failedPrecondition, "other_signer") { try await sign(known, as: "eve") }
    let second = try await world.record(of: try await world.goOn(try await sign(known, as: "gil")))
    #expect(second.signatures.map(\.personID) == ["gil"])
    await world.end()
  }

  @Test("a study without a verifier refuses every signature that asks for one")
  func noVerifier() async throws {
    let world = try await World()
    try await open(world, verifiers: false)
    let view = try await world.walk { $0.kind == .signature }
    let challenge = try #require(view.screen?.signatureForm?.challenge)
    await expectRefusal(.failedPrecondition, "unknown_verifier") {
      try await world.act(view, sign(try proof(challenge)))
    }
    await world.end()
  }

  /// Walks without a connection, signs a second after the authentication by the device's clock, and hands the walk in.
  private func walkOffline(
    _ world: World, signedAt: Instant, submittedAfter wait: Duration
  ) async throws -> (session: SessionView, attention: String) {
    let bundle = try await world.offlineBundle()
    var row = 0
    var actions: [FlowAction] = []
    while let screen = bundle.screens[row].screen, !bundle.screens[row].edges.isEmpty {
      var action = Walker.goodAction(on: screen)
      action.deviceTime = DeviceTime(at: Timestamp(signedAt))
      if let form = screen.signatureForm {
        action.signature?.reauthentication = try proof(form.challenge) {
          $0.authenticatedAt = Timestamp(signedAt + .seconds(-1))
        }
      }
      actions.append(action)
      row = Int(bundle.screens[row].edges.first { $0.action == action.kind }?.successor ?? 0)
    }
    world.clock.move(by: wait)
    let answer = try await world.submit(bundle, actions)
    return (try #require(answer.session), answer.attention)
  }

  @Test("without a connection an authentication may be fresh by the device's time alone, and the record says so")
  func offline() async throws {
    let world = try await World()
    try await open(world)
    let signedAt = Example.now + .seconds(3600)
    let late = try await walkOffline(world, signedAt: signedAt, submittedAfter: .seconds(86_400))
    #expect(late.session.outcome == .completed && late.attention.isEmpty)
    let kept = try #require(try await world.record(of: late.session).signatures.first?.authentication)
    #expect(kept.authenticatedAt == Timestamp(signedAt + .seconds(-1)) && kept.byDeviceTime)
    // What arrives while it is fresh needs no clock but ours.
    let now = Example.now + .seconds(86_400)
    let soon = try await walkOffline(world, signedAt: now + .seconds(60), submittedAfter: .seconds(120))
    #expect(try await world.record(of: soon.session).signatures.first?.authentication?.byDeviceTime == false)
    await world.end()
  }

  @Test("where a study wants it, an authentication that only the device's clock shows as fresh needs attention")
  func offlineQuestioned() async throws {
    let world = try await World()
    try await open(world) { $0.deviceTimeNeedsAttention = true }
    let signedAt = Example.now + .seconds(3600)
    let late = try await walkOffline(world, signedAt: signedAt, submittedAfter: .seconds(86_400))
    #expect(late.session.outcome == .needsAttention && late.attention.hasPrefix("authenticated_by_device_time: "))
    let record = try await world.record(of: late.session)
    #expect(record.state == .needsAttention && record.signatures.first?.authentication?.byDeviceTime == true)
    #expect(try await world.check().permitted == false)
    let confirmed = try await world.investigator.records.resolveAttention(
      ResolveAttentionRequest(recordID: record.recordID, decision: .confirm, reason: "I saw her sign"))
    #expect(confirmed.record?.state == .inForce || confirmed.record?.state == .awaitingSignatures)
    let now = Example.now + .seconds(86_400)
    let soon = try await walkOffline(world, signedAt: now + .seconds(60), submittedAfter: .seconds(120))
    #expect(soon.session.outcome == .completed)
    await world.end()
  }

  @Test("a verifier's key and the longest age are checked when the study is made")
  func settings() async throws {
    let world = try await World()
    func put(_ change: (inout ConsentStudy) -> Void) async throws -> CreateStudyResponse {
      var study = ConsentStudy(studyID: World.study, name: "Heart")
      change(&study)
      return try await world.admin.studies.createStudy(CreateStudyRequest(study: study))
    }
    await expectRefusal(.invalidArgument, "bad_key") {
      try await put { $0.verifiers = [AuthenticationVerifier(verifierID: "idp", publicKey: [1])] }
    }
    let known = AuthenticationVerifier(verifierID: "idp", publicKey: verifier.verifyingKey.bytes)
    await expectRefusal(.invalidArgument, "bad_name") { try await put { $0.verifiers = [known, known] } }
    await expectRefusal(.invalidArgument, "out_of_bounds") {
      try await put { $0.authenticationMaxAge = ProtobufDuration(.seconds(86_401)) }
    }
    await world.end()
  }

  @Test("a session that has the identifier of a record asks for another authentication than the record does")
  func placesApart() {
    func challenge(_ place: SigningChallenge.Place) -> [UInt8] {
      SigningChallenge(place: place, documentID: "d", versionHash: "v", localeHash: "l", signatureID: "s").bytes
    }
    #expect(challenge(.session("a")) == challenge(.session("a")))
    #expect(challenge(.session("a")) != challenge(.session("b")))
    #expect(challenge(.session("a")) != challenge(.record("a")))
  }
}
