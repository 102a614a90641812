import Base
import ConsentContract
import ConsentService
import RPC
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What a record's evidence shows to somebody who has two public keys and nothing else.
@Suite(.serialized) struct RecordEvidenceTests {
  private let verifier = EvidenceVerifier(
    trusting: [EvidenceWorld.consentKey.verifyingKey, EvidenceWorld.captureKey.verifyingKey])

  private func evidence(
    _ world: EvidenceWorld, _ record: ConsentRecord, earlier: [String] = []
  ) async throws -> [UInt8] {
    try await world.consent.investigator.records.getEvidence(
      GetEvidenceRequest(recordID: record.recordID, earlierHeads: earlier)
    ).content
  }

  /// What the verifier in Python says, which shares no code with ours.
  private func pythonSays(_ bundle: [UInt8]) async throws -> [String] {
    let folder = try TemporaryFolder()
    try Files.write(bundle, to: folder.file("bundle.json"))
    let keys = [EvidenceWorld.consentKey.publicText, EvidenceWorld.captureKey.publicText]
    try Files.write(Array("\(keys.joined(separator: "\n"))\n".utf8), to: folder.file("keys"))
    var command = ChildCommand(
      "python3",
      [Repository.path("scripts/verify-evidence.py"), folder.file("bundle.json"), folder.file("keys")])
    command.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return try await ChildProcess.output(of: command).lines
  }

  @Test("joins both services' logs, and both programs say that it is valid", arguments: TestEngine.allCases)
  func valid(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let heads = try await world.consent.admin.records.listConsentHeads(ListConsentHeadsRequest())
    let others = try await world.inspector.listSignatureHeads(ListSignatureHeadsRequest())
    #expect(heads.heads.count == 2 && !others.heads.isEmpty && heads.nextAfterSize > 0)
    let next = ListConsentHeadsRequest(afterSize: heads.nextAfterSize)
    #expect(try await world.consent.admin.records.listConsentHeads(next).heads == [])
    let bundle = try await evidence(world, names.withdrawn, earlier: heads.heads + others.heads)
    let report = verifier.verify(bundle)
    #expect(report.problems == [])
    #expect(report.rows >= names.withdrawn.history.count + 6, "\(report.summary)")
    #expect(report.commitments >= 1 && report.contents >= 2, "\(report.summary)")
    #expect(report.summary.hasPrefix("valid: "))
    #expect(try await pythonSays(bundle) == report.lines)
    let text = String(decoding: bundle, as: UTF8.self)
    for service in [world.consent.test, world.capture] { #expect(text.contains("test/\(service.schema.name)/t1")) }
    await world.end()
  }

  @Test("after the subject is erased both say: proof intact, content erased", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let fields = GetFieldEvidenceRequest(fieldIDs: [names.drawnField])
    #expect(verifier.verify(try await world.service.getFieldEvidence(fields).content).contents == 1, "the strokes")
    let subject = try #require(Subject("s1"))
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    let jobs = Task { [jobs = world.consent.services.jobs()] in await jobs.run() }
    let scope = world.capture.database.scope(.named("t1"))
    try await eventually("it is erased", await scope.read { try $0.vault.isErased(subject) })
    jobs.cancel()
    await jobs.value
    let bundle = try await evidence(world, names.withdrawn)
    let report = verifier.verify(bundle)
    #expect(report.problems == [])
    #expect(report.erasures == 2 && report.summary.hasPrefix("proof intact, content erased: "), "\(report.summary)")
    #expect(try await pythonSays(bundle) == report.lines)
    await world.end()
  }

  @Test("what an app showed is in the evidence until the subject is erased", arguments: TestEngine.allCases)
  func ownText(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    try await world.consent.open()
    let answer = try await world.consent.app.sessions.recordConsent(
      Example.recordConsent { $0.documents[0].shownText = "I, Ada Lovelace, may leave at any time." })
    let record = try #require(answer.records.first)
    try await world.signHeads()
    let bundle = try await evidence(world, record)
    let report = verifier.verify(bundle)
    #expect(report.problems == [])
    #expect(report.contents == 1 && report.summary.hasPrefix("valid: "), "\(report.summary)")
    #expect(try await pythonSays(bundle) == report.lines)
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    let after = try await evidence(world, record)
    let left = verifier.verify(after)
    #expect(left.problems == [])
    #expect(left.contents == 0 && left.summary.hasPrefix("proof intact, content erased: "), "\(left.summary)")
    #expect(try await pythonSays(after) == left.lines)
    await world.end()
  }

  @Test("a form's evidence has the version of the flow that asked for it", arguments: TestEngine.allCases)
  func form(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    try await world.consent.open(flow: Example.forms(Example.form("photos")))
    let record = try await world.consent.record(of: try await world.consent.walk())
    #expect(record.kind == .form)
    try await world.signHeads()
    let bundle = try await evidence(world, record)
    let text = String(decoding: bundle, as: UTF8.self)
    #expect(text.contains("\"flow_versions\"") && !text.contains("\"document_versions\""))
    let report = verifier.verify(bundle)
    #expect(report.problems == [])
    #expect(try await pythonSays(bundle) == report.lines)
    await world.end()
  }

  @Test("heads of others are refused, and without a key there is no evidence")
  func refusals() async throws {
    let world = try await EvidenceWorld(.sqlite)
    let names = try await world.fill()
    await expectRefusal(.invalidArgument, "bad_head") {
      try await evidence(world, names.waiting, earlier: ["no note"])
    }
    let origin = "test/\(world.consent.test.schema.name)/t1"
    let forged = Checkpoint(origin: origin, size: 1, root: Digest(of: [1])).signed(by: EvidenceKey.example("66").key)
    await expectRefusal(.invalidArgument, "bad_head") {
      try await evidence(world, names.waiting, earlier: [forged.note])
    }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.consent.coordinator.records.listConsentHeads(ListConsentHeadsRequest())
    }
    await world.end()
    let silent = try await World()
    try await silent.open()
    let record = try await silent.record(of: try await silent.walk())
    await expectRefusal(.failedPrecondition, "no_evidence_key") {
      try await silent.investigator.records.getEvidence(GetEvidenceRequest(recordID: record.recordID))
    }
    await silent.end()
  }
}
