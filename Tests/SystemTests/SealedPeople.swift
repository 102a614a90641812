import Base
import Bus
import ConsentContract
import RPC
import TestSupport
import Testing

/// People who sign a document that nobody else has to sign.
struct SealedPeople: Sendable {
  private static let study = "walking"
  let channel: BusChannel
  var tenant = "t1"

  private func clients(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> ConsentClients {
    ConsentClients(
      channel.acting(for: CallerIdentity(kind: kind, tenant: tenant, subject: subject, grants: grants)))
  }

  private var app: ConsentClients { clients("app", .device) }

  func open() async throws {
    let options = CallOptions(waitsForReady: true)
    let admin = clients("admin", .person, ["admin@*"])
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Walking")), deadline: .seconds(30),
      options: options)
    let publisher = clients("pia", .person, ["publisher@\(Self.study)"])
    let content = DocumentContent(
      defaultLocale: "en",
      settings: DocumentSettings(
        sections: [DocumentSection(id: "overview", type: .overview)],
        signatures: [
          SignatureDefinition(
            id: "participant", role: .participant, order: 1, requiresName: true, requiresImage: true)
        ],
        purposes: [ConsentPurpose(code: "research")]),
      texts: [
        DocumentText(
          locale: "en", title: "Walking",
          sections: [SectionText(sectionID: "overview", summary: "We walk.", content: "We walk & count steps.")],
          signatures: [
            SignatureText(signatureID: "participant", title: "Participant", meaning: "I agree to take part.")
          ],
          purposes: [PurposeText(purposeCode: "research", title: "Research")])
      ])
    let draft = try await publisher.documents.importDocument(
      ImportDocumentRequest(
        studyID: Self.study, file: DocumentFile(format: 1, documentID: "walk", name: "Walk", content: content)))
    _ = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: "walk", expectedRevision: draft.version?.revision ?? 0))
    let flow = FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(id: "review", step: .review(ReviewStep(documentID: "walk"))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
    let made = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: Self.study, flowID: "signing", name: "Signing", definition: flow))
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "signing", expectedRevision: made.version?.revision ?? 0))
  }

  /// Signs with a typed name; answers the record.
  func sign(_ subject: String) async throws -> String {
    let start = StartSessionRequest(flowID: "signing", subjectID: subject, clientSchema: 2)
    var view = try #require(
      try await retrying("begin-\(subject)") {
        try await app.sessions.startSession(start, deadline: .seconds(60), options: $0)
      }.session)
    let wanted: [ActionKind] = [.scrolledToEnd, .agree, .enterName, .sign, .done, .confirm]
    while let screen = view.screen, let kind = wanted.first(where: screen.offered.contains) {
      var action = FlowAction(kind: kind)
      if kind == .enterName { action.name = PersonName(given: "Ada", family: "Lovelace") }
      if kind == .sign { action.signature = SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace"))) }
      let request = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: action, clientSchema: 2)
      view = try #require(
        try await retrying("\(view.sessionID)-\(view.version)") {
          try await app.sessions.actOnSession(request, deadline: .seconds(60), options: $0)
        }.session)
    }
    return try #require(view.recordIDs.last)
  }

  /// The copy of a record, as soon as it is as wanted.
  func copy(_ record: String, until isThere: (SignedCopy) -> Bool) async throws -> SignedCopy {
    func look() async throws -> SignedCopy {
      try #require(
        try await retrying {
          try await app.records.getRecord(GetRecordRequest(recordID: record), deadline: .seconds(30), options: $0)
        }.record?.signedCopy)
    }
    return try await eventually("the copy is as wanted", await look(), where: isThere)
  }

  func file(_ record: String) async throws -> GetSignedCopyResponse {
    try await retrying {
      try await app.records.getSignedCopy(GetSignedCopyRequest(recordID: record), deadline: .seconds(30), options: $0)
    }
  }

  func check(_ id: String, _ file: [UInt8]) async throws -> CheckSignedCopyResponse {
    try await app.records.checkSignedCopy(
      CheckSignedCopyRequest(verificationID: id, sha256: Digest(of: file).hex))
  }

  /// How often a record's copy became sealed.
  func sealings(of record: String) async throws -> Int { try await sealedFiles(of: record).count }

  /// The hashes that a record's copy had once it was sealed, an entry for each change.
  func sealedFiles(of record: String) async throws -> [String] {
    var (hashes, token) = ([String](), "")
    let admin = clients("admin", .person, ["admin@*"])
    while true {
      let page = try await admin.records.listEvents(ListEventsRequest(pageSize: 1000, pageToken: token))
      hashes += page.events.filter { $0.recordID == record && $0.signedCopy == .sealed }.map(\.hash)
      if page.nextPageToken == token || page.events.isEmpty { return hashes }
      token = page.nextPageToken
    }
  }
}
