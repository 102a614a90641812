import Base
import Bus
import ConsentContract
import RPC
import Testing
import Wire

/// A study with documents to which subjects agree on paper: the shortest way to a yes.
struct PaperStudy {
  static let study = "paper"
  let channel: BusChannel
  var documents = ["paper-consent"]
  var tenant = SyncPeople.tenant

  func client(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> ConsentClients {
    ConsentClients(channel.acting(for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, grants: grants)))
  }

  var app: ConsentClients { client("app", .device) }

  func open() async throws {
    let admin = client("admin", .person, ["admin@*", "publisher@*", "coordinator@*"])
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Paper")), deadline: .seconds(30),
      options: CallOptions(waitsForReady: true))
    for document in documents { try await publish(document, by: admin) }
  }

  /// Each document asks for a purpose of its own, the first one for research.
  private func publish(_ document: String, by admin: ConsentClients) async throws {
    let purpose = document == documents.first ? "research" : document
    let content = DocumentContent(
      defaultLocale: "en",
      settings: DocumentSettings(
        sections: [DocumentSection(id: "privacy", type: .privacy)],
        signatures: [SignatureDefinition(id: "participant", role: .participant, order: 1, requiresName: true)],
        purposes: [ConsentPurpose(code: purpose)]),
      texts: [
        DocumentText(
          locale: "en", title: "Paper",
          sections: [SectionText(sectionID: "privacy", summary: "Short", content: "Long")],
          signatures: [SignatureText(signatureID: "participant", title: "Participant", meaning: "I agree.")],
          purposes: [PurposeText(purposeCode: purpose, title: "Research")], reviewText: "Please read.",
          reasonForConsent: "You want to take part.", signaturePageTitle: "Consent",
          signaturePageContent: "Signed by:")
      ])
    let file = DocumentFile(format: 1, documentID: document, name: "Paper", content: content)
    let draft = try await admin.documents.importDocument(
      ImportDocumentRequest(studyID: Self.study, file: file))
    #expect(draft.problems.filter { $0.severity == .error }.isEmpty, "\(draft.problems)")
    _ = try await admin.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: document, expectedRevision: draft.version?.revision ?? 0))
  }

  /// Files a consent of the subject, to the first document unless another one is named; gives its record.
  @discardableResult
  func consent(
    _ subject: String, to document: String? = nil, options: CallOptions = CallOptions()
  ) async throws -> String {
    try await client("admin", .person, ["admin@*", "publisher@*", "coordinator@*"]).records.createPaperRecord(
      CreatePaperRecordRequest(
        studyID: Self.study, subjectID: subject, documentID: document ?? documents[0], documentVersion: 1, locale: "en",
        signedAt: Timestamp(Clock.system.now + .seconds(-1)), scan: Array("%PDF-1.7 scan".utf8),
        attestedBy: "Dr. Carl"), options: options
    ).record?.recordID ?? ""
  }

  func isPermitted(_ subject: String, deadline: Duration = .seconds(10)) async throws -> Bool {
    let question = CheckConsentRequest(studyID: Self.study, subjectID: subject, purpose: "research")
    return try await app.records.checkConsent(question, deadline: deadline).answer?.permitted == true
  }
}
