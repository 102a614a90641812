import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A study with four instruments that ask for the purpose `contact`: a document that is complete at once and asks for
/// `research` too, one for which `contact` is optional, a document that an investigator has to sign, and a form.
struct DecisionWorld {
  let world: World
  static let waiting = "register"
  static let choosing = "biobank"

  init(_ engine: TestEngine = .sqlite) async throws { try await self.init(in: try await World(engine)) }

  /// - Parameter world: nobody has made anything under its tenant.
  init(in world: World) async throws {
    self.world = world
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart")))
    try await publish(Example.documentID, Self.content(["research", "contact"]))
    try await publish(Self.waiting, Self.content(["contact"], isCountersigned: true))
    var choices = Self.content(["research", "contact"])
    choices.settings?.purposes[1].optional = true
    try await publish(Self.choosing, choices)
    try await publishFlow("flow", Example.documentID)
    try await publishFlow("choices", Self.choosing)
    try await publishFlow("countersigned", Self.waiting)
    try await publishFlow("form", nil)
  }

  static func content(_ purposes: [String], isCountersigned: Bool = false) -> DocumentContent {
    var content = Example.content()
    let signature = SignatureDefinition(
      id: "investigator", role: .investigator, order: 1, requiresName: true, requiresImage: true)
    content.settings?.signatures = isCountersigned ? [signature] : []
    content.settings?.inForceFrom = .lastSignature
    content.settings?.comprehension = nil
    content.settings?.offersSharing = false
    content.settings?.purposes = purposes.map { ConsentPurpose(code: $0) }
    for index in content.texts.indices {
      content.texts[index].signatures.removeAll { $0.signatureID != "investigator" || !isCountersigned }
      content.texts[index].questions = []
      content.texts[index].sharing = nil
      content.texts[index].purposes = purposes.map { PurposeText(purposeCode: $0, title: $0) }
    }
    return content
  }

  @discardableResult
  func publish(_ id: String, _ content: DocumentContent) async throws -> DocumentVersion? {
    let draft = try await world.publisher.documents.importDocument(
      ImportDocumentRequest(
        studyID: World.study, file: DocumentFile(format: 1, documentID: id, name: id, content: content)))
    return try await world.publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: id, expectedRevision: draft.version?.revision ?? 0)
    ).version
  }

  private func publishFlow(_ id: String, _ documentID: String?) async throws {
    let step =
      documentID.map { FlowStep(id: "review", step: .review(ReviewStep(documentID: $0))) } ?? Example.form("contact")
    let draft = try await world.publisher.flows.createFlow(
      CreateFlowRequest(
        studyID: World.study, flowID: id, name: id,
        definition: FlowDefinition(
          defaultLocale: "en", steps: [step, FlowStep(id: "end", step: .completion(CompletionStep()))])))
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: id, expectedRevision: draft.version?.revision ?? 0))
  }

  /// A person decides about a document, by a call of the app.
  func decide(
    _ subject: String, _ documentID: String, version: Int32 = 1, agreed: Bool, contact: Bool = true
  ) async throws -> ConsentRecord {
    let flow = [Self.waiting: "countersigned", Self.choosing: "choices"][documentID] ?? "flow"
    let choice = PurposeDecision(purpose: "contact", allowed: contact)
    let answer = try await world.app.sessions.recordConsent(
      RecordConsentRequest(
        flowID: flow, subjectID: subject, locale: "en",
        documents: [
          DocumentDecision(
            documentID: documentID, documentVersion: version, locale: "en", agreed: agreed,
            purposes: documentID == Self.choosing && agreed ? [choice] : [])
        ]))
    return try #require(answer.records.first)
  }

  /// A person decides about the form, by a call of the app.
  ///
  /// - Parameter guardian: their guardian, who decides for them with an account of their own; nil for nobody.
  func decideForm(_ subject: String, allowed: Bool, guardian: String? = nil) async throws -> ConsentRecord {
    let caller = guardian.map { world.client($0) } ?? world.app
    let answer = try await caller.sessions.recordConsent(
      RecordConsentRequest(
        flowID: "form", subjectID: subject, locale: "en", forms: [FormDecision(stepID: "contact", allowed: allowed)]))
    return try #require(answer.records.first)
  }

  func paper(_ subject: String, signed: Instant, version: Int32 = 1) async throws -> ConsentRecord {
    let answer = try await world.coordinator.records.createPaperRecord(
      CreatePaperRecordRequest(
        studyID: World.study, subjectID: subject, documentID: Example.documentID, documentVersion: version,
        locale: "en", signedAt: Timestamp(signed), scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Dr. Carl"))
    return try #require(answer.record)
  }

  func withdraw(_ subject: String, _ purposes: [String] = [], by person: String? = nil) async throws {
    _ = try await world.client(person ?? subject).records.withdrawConsent(
      WithdrawConsentRequest(subjectID: subject, studyID: World.study, purposes: purposes))
  }

  func setGuardian(_ guardian: String, of subject: String) async throws {
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(
        studyID: World.study, subjectID: subject, guardianID: guardian, authority: .attorney))
  }

  /// Two people of the staff void a record.
  func void(_ record: ConsentRecord) async throws {
    for clients in [world.coordinator, world.investigator] {
      _ = try await clients.records.voidRecord(VoidRecordRequest(recordID: record.recordID, reason: "another person's"))
    }
  }

  /// The records of a person, as they see them.
  ///
  /// - Parameter reader: the account that they have by now.
  func records(_ subject: String, to reader: String? = nil) async throws -> [ConsentRecord] {
    try await world.client(reader ?? subject).records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: subject))
      .records
  }
}
