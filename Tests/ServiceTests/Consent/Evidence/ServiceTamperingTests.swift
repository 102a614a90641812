import Base
import Bus
import ConsentContract
import ConsentService
import SignatureContract
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Changes rows of the services' real tables by hand, one way after the other, lets people go on with the same objects,
/// and wants each found by name.
@Suite(.serialized) struct ServiceTamperingTests {
  @Test(
    "every tampering with consent's and signature's rows is found, whatever follows",
    arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite])
  func all(engine: TestEngine) async throws {
    let world = try await EvidenceWorld(engine)
    let names = try await world.fill()
    let more = try await world.fillMore(names)
    let consent = ConsentTamperings(names: names, more: more, engine: engine).list
    let signature = SignatureTamperings(
      names: names, place: more.place, field: more.field, drawn: try await world.saved(in: more.field),
      typed: try await world.saved(in: names.typedField), engine: engine
    ).list
    let all = (consent + signature).map(\.name)
    #expect(all.count >= 100 && Set(all).count == all.count)
    let databases = (consent: world.consent.test, capture: world.capture)
    for (test, key, list) in [
      (databases.consent, EvidenceWorld.consentKey, consent), (databases.capture, EvidenceWorld.captureKey, signature),
    ] {
      let isConsent = test.schema.name == databases.consent.schema.name
      let bench = try await TamperBench(
        test, heads: try await world.heads(of: test), trusting: [key.verifyingKey],
        clock: isConsent ? world.consent.clock.clock : .system)
      #expect(try await bench.problems() == [], "what was not touched is well")
      let faults = try await bench.faults(list) { copy, body in
        let world = try await EvidenceWorld(
          engine, on: isConsent ? (copy, databases.capture) : (databases.consent, copy))
        try await body(world)
        world.consent.bus.stop()
      }
      for fault in faults { Issue.record("\(fault)") }
      try await bench.end()
    }
    await world.end()
  }
}

extension EvidenceWorld {
  /// What tamperings are about besides what `fill` made.
  struct MoreNames {
    /// A session of s3 that goes on, and the field that was signed in there.
    let session: String
    let field: String
    let place: SignaturePlace
    let webhook: String
    /// The withdrawal undone, with an added event, which fits.
    let reverting: ConsentTamperings.Case
  }

  fileprivate func fillMore(_ names: Names) async throws -> MoreNames {
    let admin = consent.admin
    let view = try await consent.walk(subject: "s3", site: "north") { $0.kind == .signature }
    let place = try #require(view.screen?.signatureForm?.place)
    let field = try await field(for: place)
    _ = try await admin.records.setLegalHold(SetLegalHoldRequest(subjectID: "s1", held: true, reason: "a dispute"))
    let webhook = Webhook(url: "https://app.example/assent", kinds: ["consent"])
    let hook = try await admin.webhooks.createWebhook(CreateWebhookRequest(webhook: webhook)).webhook
    let (documents, flows) = (consent.publisher.documents, consent.publisher.flows)
    let flow = try await draftFlow("Second")
    _ = try await flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: flow.version?.revision ?? 0))
    _ = try await flows.retireFlowVersion(
      RetireFlowVersionRequest(flowID: "flow", version: 2, reason: "a mistake"))
    _ = try await consent.publish(Self.nextContent("Second"))
    _ = try await documents.retireDocumentVersion(
      RetireDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "a mistake"))
    try await signHeads()
    return MoreNames(
      session: view.sessionID, field: field.fieldID, place: place, webhook: try #require(hook?.webhookID),
      reverting: try await reverting(names.withdrawn))
  }

  static func nextContent(_ title: String) -> DocumentContent {
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.texts[0].title = title
    return content
  }

  func draftFlow(_ title: String) async throws -> UpdateFlowDraftResponse {
    var flow = Example.flow()
    flow.steps[0] = FlowStep(
      id: "hello", step: .instruction(InstructionStep(title: title.inEnglish, text: "Welcome.".inEnglish)))
    return try await consent.redraft(flow)
  }

  private func reverting(_ record: ConsentRecord) async throws -> ConsentTamperings.Case {
    let (test, tenant, id) = (consent.test, Tenant.named("t1"), record.recordID)
    let events = try await test.database.scope(tenant).read { try $0.events(after: 0, limit: 10_000) }
    let event = events.last { $0.committedRows.contains { $0.table == "records" && $0.key == id } }
    let sql = try await test.forging(
      "UPDATE records SET state = 2 WHERE id = '\(id)'", of: "records", [.text(id)], like: event,
      code: .copied, tenant)
    return .init("withdrawal reverted, with an event that fits", sql, "is not one that the service wrote")
  }

  /// The identifier of the signature that is saved in a field.
  func saved(in field: String) async throws -> String {
    try #require(try await service.getField(GetFieldRequest(fieldID: field)).view?.saved?.signatureID)
  }
}
