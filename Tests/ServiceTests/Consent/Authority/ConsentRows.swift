import AuthorityKit
import Base
import Bus
import ConsentContract
import Wire

/// One way to call a method: what the call is about, and the call itself. Calls that would change something are made so
/// that they fail for another reason once they are admitted.
struct Row: Sendable {
  typealias Target = AuthorityWorld.Target

  let method: String
  let thing: @Sendable (Actor, Target) -> Thing
  let call: @Sendable (ConsentClients, Target) async throws -> any Message

  init(
    _ method: String, _ thing: @escaping @Sendable (Actor, Target) -> Thing,
    _ call: @escaping @Sendable (ConsentClients, Target) async throws -> any Message
  ) {
    (self.method, self.thing, self.call) = (method, thing, call)
  }
}

private typealias Target = AuthorityWorld.Target

@Sendable private func person(_ actor: Actor, _ target: Target) -> Thing {
  Thing(study: .one(target.study), site: .one(target.site), subject: target.subject)
}
@Sendable private func personOfStudy(_ actor: Actor, _ target: Target) -> Thing {
  Thing(study: .one(target.study), subject: target.subject)
}
@Sendable private func assisted(_ actor: Actor, _ target: Target) -> Thing {
  var thing = person(actor, target)
  thing.assistant = target.assistant
  return thing
}
/// The caller says that they assist from here on.
@Sendable private func assisting(_ actor: Actor, _ target: Target) -> Thing {
  var thing = person(actor, target)
  thing.assistant = actor.name
  return thing
}
@Sendable private func study(_ actor: Actor, _ target: Target) -> Thing { Thing(study: .one(target.study)) }
@Sendable private func wholeStudy(_ actor: Actor, _ target: Target) -> Thing {
  Thing(study: .one(target.study), site: .every)
}
@Sendable private func site(_ actor: Actor, _ target: Target) -> Thing {
  Thing(study: .one(target.study), site: .one(target.site))
}
@Sendable private func tenant(_ actor: Actor, _ target: Target) -> Thing { Thing() }
@Sendable private func wholeTenant(_ actor: Actor, _ target: Target) -> Thing { Thing(study: .every, site: .every) }

private func signing(_ role: String) -> @Sendable (Actor, Target) -> Thing {
  { actor, target in
    var thing = person(actor, target)
    thing.signs = role
    return thing
  }
}

extension Row {
  static let consent: [Row] = studies + documents + flows + sessions + records + webhooks

  private static let webhooks: [Row] = [
    Row("WebhookService/CreateWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.createWebhook(CreateWebhookRequest())
    },
    Row("WebhookService/ListWebhooks", wholeTenant) { clients, _ in
      try await clients.webhooks.listWebhooks(ListWebhooksRequest())
    },
    Row("WebhookService/UpdateWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.updateWebhook(UpdateWebhookRequest())
    },
    Row("WebhookService/DeleteWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: "none"))
    },
    Row("WebhookService/RotateWebhookSecret", wholeTenant) { clients, _ in
      try await clients.webhooks.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: "none"))
    },
    Row("WebhookService/TestWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.testWebhook(TestWebhookRequest(webhookID: "none"))
    },
    Row("WebhookService/ListWebhookDeliveries", wholeTenant) { clients, _ in
      try await clients.webhooks.listWebhookDeliveries(ListWebhookDeliveriesRequest(webhookID: "none"))
    },
    Row("WebhookService/ResendWebhookDeliveries", wholeTenant) { clients, _ in
      try await clients.webhooks.resendWebhookDeliveries(ResendWebhookDeliveriesRequest(webhookID: "none"))
    },
  ]

  private static let studies: [Row] = [
    Row("StudyService/CreateStudy", wholeTenant) { clients, _ in
      try await clients.studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: "no name")))
    },
    Row("StudyService/GetStudy", study) { clients, target in
      try await clients.studies.getStudy(GetStudyRequest(studyID: target.study))
    },
    Row("StudyService/ListStudies", tenant) { clients, _ in
      try await clients.studies.listStudies(ListStudiesRequest())
    },
    Row("StudyService/UpdateStudy", study) { clients, target in
      try await clients.studies.updateStudy(UpdateStudyRequest(study: ConsentStudy(studyID: target.study)))
    },
    Row("StudyService/CreateSite", study) { clients, target in
      try await clients.studies.createSite(
        CreateSiteRequest(site: StudySite(studyID: target.study, siteID: target.site)))
    },
    Row("StudyService/ListSites", study) { clients, target in
      try await clients.studies.listSites(ListSitesRequest(studyID: target.study))
    },
    Row("StudyService/UpdateSite", study) { clients, target in
      try await clients.studies.updateSite(
        UpdateSiteRequest(site: StudySite(studyID: target.study, siteID: target.site, name: target.site)))
    },
    Row("StudyService/CreateInvitation", person) { clients, target in
      let never = Timestamp(seconds: Int64.max / 2)
      return try await clients.studies.createInvitation(
        CreateInvitationRequest(
          invitation: StudyInvitation(
            flowID: target.flow, siteID: target.site, subjectID: target.subject, expiresAt: never)))
    },
    Row("StudyService/ListInvitations", study) { clients, target in
      try await clients.studies.listInvitations(ListInvitationsRequest(studyID: target.study))
    },
    Row("StudyService/RevokeInvitation", person) { clients, target in
      try await clients.studies.revokeInvitation(RevokeInvitationRequest(code: target.invitation))
    },
    Row("StudyService/SetGuardian", person) { clients, target in
      try await clients.studies.setGuardian(
        SetGuardianRequest(studyID: target.study, subjectID: target.subject, guardianID: target.subject))
    },
    Row("StudyService/ListGuardians", person) { clients, target in
      try await clients.studies.listGuardians(
        ListGuardiansRequest(studyID: target.study, subjectID: target.subject))
    },
    Row("StudyService/SetTexts", wholeTenant) { clients, _ in
      try await clients.studies.setTexts(SetTextsRequest(overrides: [TextOverride(key: "no.such.text")]))
    },
    Row("StudyService/GetTexts", tenant) { clients, _ in
      try await clients.studies.getTexts(GetTextsRequest(locale: "en"))
    },
  ]

  private static let drawing = Array(
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"></path></svg>".utf8)

  private static let documents: [Row] = [
    Row("DocumentService/CreateDocument", study) { clients, target in
      try await clients.documents.createDocument(
        CreateDocumentRequest(studyID: target.study, documentID: "no name"))
    },
    Row("DocumentService/GetDocument", study) { clients, target in
      try await clients.documents.getDocument(GetDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/ListDocuments", study) { clients, target in
      try await clients.documents.listDocuments(ListDocumentsRequest(studyID: target.study))
    },
    Row("DocumentService/CreateDocumentDraft", study) { clients, target in
      try await clients.documents.createDocumentDraft(CreateDocumentDraftRequest(documentID: target.document))
    },
    Row("DocumentService/UpdateDocumentDraft", study) { clients, target in
      try await clients.documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/PublishDocumentDraft", study) { clients, target in
      try await clients.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/DiscardDocumentDraft", study) { clients, target in
      try await clients.documents.discardDocumentDraft(
        DiscardDocumentDraftRequest(documentID: target.document, expectedRevision: 999))
    },
    Row("DocumentService/ReinstateDocumentVersion", study) { clients, target in
      try await clients.documents.reinstateDocumentVersion(
        ReinstateDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/ListDocumentVersions", study) { clients, target in
      try await clients.documents.listDocumentVersions(ListDocumentVersionsRequest(documentID: target.document))
    },
    Row("DocumentService/SetDocumentTranslation", study) { clients, target in
      try await clients.documents.setDocumentTranslation(
        SetDocumentTranslationRequest(
          documentID: target.document, version: 1, text: DocumentText(locale: "no locale")))
    },
    Row("DocumentService/RetireDocumentVersion", study) { clients, target in
      try await clients.documents.retireDocumentVersion(
        RetireDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/StopDocumentVersion", study) { clients, target in
      try await clients.documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: target.document, version: 999))
    },
    Row("DocumentService/DiffDocumentVersions", study) { clients, target in
      try await clients.documents.diffDocumentVersions(
        DiffDocumentVersionsRequest(documentID: target.document, fromVersion: 1, toVersion: 1))
    },
    Row("DocumentService/ValidateDocument", study) { clients, target in
      try await clients.documents.validateDocument(ValidateDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/ValidateDocument", tenant) { clients, _ in
      try await clients.documents.validateDocument(ValidateDocumentRequest())
    },
    Row("DocumentService/PreviewDocument", study) { clients, target in
      try await clients.documents.previewDocument(PreviewDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/ImportDocument", study) { clients, target in
      try await clients.documents.importDocument(
        ImportDocumentRequest(
          studyID: target.study, file: DocumentFile(format: 1, documentID: "no name")))
    },
    Row("DocumentService/ExportDocument", study) { clients, target in
      try await clients.documents.exportDocument(ExportDocumentRequest(documentID: target.document))
    },
    Row("DocumentService/CreateAsset", tenant) { clients, _ in
      try await clients.documents.createAsset(CreateAssetRequest(kind: .svg, data: drawing))
    },
    Row("DocumentService/GetAsset", tenant) { clients, _ in
      try await clients.documents.getAsset(GetAssetRequest(hash: "none"))
    },
  ]

  private static let flows: [Row] = [
    Row("FlowService/CreateFlow", study) { clients, target in
      try await clients.flows.createFlow(CreateFlowRequest(studyID: target.study, flowID: "no name"))
    },
    Row("FlowService/GetFlow", study) { clients, target in
      try await clients.flows.getFlow(GetFlowRequest(flowID: target.flow))
    },
    Row("FlowService/ListFlows", study) { clients, target in
      try await clients.flows.listFlows(ListFlowsRequest(studyID: target.study))
    },
    Row("FlowService/CreateFlowDraft", study) { clients, target in
      try await clients.flows.createFlowDraft(CreateFlowDraftRequest(flowID: target.flow))
    },
    Row("FlowService/UpdateFlowDraft", study) { clients, target in
      try await clients.flows.updateFlowDraft(UpdateFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/PublishFlowDraft", study) { clients, target in
      try await clients.flows.publishFlowDraft(PublishFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/DiscardFlowDraft", study) { clients, target in
      try await clients.flows.discardFlowDraft(DiscardFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/StopFlowVersion", study) { clients, target in
      try await clients.flows.stopFlowVersion(StopFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/ReinstateFlowVersion", study) { clients, target in
      try await clients.flows.reinstateFlowVersion(ReinstateFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/GetFormCounts", study) { clients, target in
      try await clients.flows.getFormCounts(GetFormCountsRequest(flowID: target.flow))
    },
    Row("FlowService/RetireFlowVersion", study) { clients, target in
      try await clients.flows.retireFlowVersion(RetireFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/ValidateFlow", study) { clients, target in
      try await clients.flows.validateFlow(ValidateFlowRequest(studyID: target.study))
    },
  ]

  private static let sessions: [Row] = [
    Row("SessionService/StartSession", person) { clients, target in
      try await clients.sessions.startSession(start(target))
    },
    Row("SessionService/StartSession", assisting) { clients, target in
      var request = start(target)
      request.assistance = .readsAloud
      return try await clients.sessions.startSession(request)
    },
    Row("SessionService/GetSession", assisted) { clients, target in
      try await clients.sessions.getSession(GetSessionRequest(sessionID: target.runningSession))
    },
    Row("SessionService/RecordConsent", person) { clients, target in
      try await clients.sessions.recordConsent(
        RecordConsentRequest(
          flowID: target.flow, siteID: target.site, subjectID: target.subject, locale: "no locale"))
    },
    Row("SessionService/ListConsentSessions", person) { clients, target in
      try await clients.sessions.listConsentSessions(
        ListConsentSessionsRequest(studyID: target.study, subjectID: target.subject))
    },
    Row("SessionService/GetSessionResult", assisted) { clients, target in
      try await clients.sessions.getSessionResult(GetSessionResultRequest(sessionID: target.runningSession))
    },
    Row("SessionService/ActOnSession", assisted) { clients, target in
      try await clients.sessions.actOnSession(
        ActOnSessionRequest(sessionID: target.runningSession, expectedVersion: 999))
    },
    Row("SessionService/ResumeSession", assisted) { clients, target in
      try await clients.sessions.resumeSession(
        ResumeSessionRequest(sessionID: target.runningSession, locale: "no locale"))
    },
    Row("SessionService/ResumeSession", assisting) { clients, target in
      try await clients.sessions.resumeSession(
        ResumeSessionRequest(sessionID: target.runningSession, locale: "no locale", assistance: .interprets))
    },
    Row("SessionService/AbandonSession", person) { clients, target in
      try await clients.sessions.abandonSession(AbandonSessionRequest(sessionID: target.endedSession))
    },
    Row("SessionService/GetOfflineBundle", assisted) { clients, target in
      try await clients.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: target.runningSession))
    },
    Row("SessionService/SubmitOfflineWalk", assisted) { clients, target in
      try await clients.sessions.submitOfflineWalk(
        SubmitOfflineWalkRequest(sessionID: target.runningSession, bundleHash: "none"))
    },
    Row("SessionService/PreviewSignedCopy", person) { clients, target in
      try await clients.sessions.previewSignedCopy(PreviewSignedCopyRequest(sessionID: target.runningSession))
    },
    Row("SessionService/CorrectBirthDate", person) { clients, target in
      try await clients.sessions.correctBirthDate(
        CorrectBirthDateRequest(studyID: target.study, subjectID: target.subject))
    },
    Row("SessionService/RenewAttempts", person) { clients, target in
      try await clients.sessions.renewAttempts(
        RenewAttemptsRequest(subjectID: target.subject, documentID: target.document, documentVersion: 1))
    },
    Row("SessionService/ListSigningTasks", site) { clients, target in
      try await clients.sessions.listSigningTasks(
        ListSigningTasksRequest(studyID: target.study, siteID: target.site))
    },
    Row("SessionService/SignRecord", signing("WITNESS")) { clients, target in
      try await clients.sessions.signRecord(SignRecordRequest(recordID: target.record, signatureID: "witness"))
    },
    Row("SessionService/SignRecord", signing("INVESTIGATOR")) { clients, target in
      try await clients.sessions.signRecord(SignRecordRequest(recordID: target.record, signatureID: "investigator"))
    },
    Row("SessionService/SignRecord", signing("PARTICIPANT")) { clients, target in
      try await clients.sessions.signRecord(SignRecordRequest(recordID: target.record, signatureID: "participant"))
    },
  ]

  private static func start(_ target: Target) -> StartSessionRequest {
    StartSessionRequest(
      flowID: target.flow, siteID: target.site, subjectID: target.subject, locale: "no locale", clientSchema: 2)
  }

  private static let records: [Row] = [
    Row("RecordService/GetRecord", person) { clients, target in
      try await clients.records.getRecord(GetRecordRequest(recordID: target.record))
    },
    Row("RecordService/ListRecords", wholeStudy) { clients, target in
      try await clients.records.listRecords(ListRecordsRequest(studyID: target.study))
    },
    Row("RecordService/ListRecords", site) { clients, target in
      try await clients.records.listRecords(ListRecordsRequest(studyID: target.study, siteID: target.site))
    },
    Row("RecordService/GetSubjectHistory", person) { clients, target in
      try await clients.records.getSubjectHistory(
        GetSubjectHistoryRequest(subjectID: target.subject, studyID: target.study))
    },
    Row("RecordService/GetShownContent", person) { clients, target in
      try await clients.records.getShownContent(GetShownContentRequest(recordID: target.record))
    },
    Row("RecordService/GetSignatureImage", person) { clients, target in
      try await clients.records.getSignatureImage(
        GetSignatureImageRequest(recordID: target.record, signatureID: "participant"))
    },
    Row("RecordService/GetSignedCopy", person) { clients, target in
      try await clients.records.getSignedCopy(GetSignedCopyRequest(recordID: target.record))
    },
    Row("RecordService/CheckSignedCopy", tenant) { clients, target in
      let unknown = "\(target.tenant).\(String(repeating: "0", count: 32))"
      return try await clients.records.checkSignedCopy(CheckSignedCopyRequest(verificationID: unknown))
    },
    Row("RecordService/WithdrawConsent", person) { clients, target in
      try await clients.records.withdrawConsent(
        WithdrawConsentRequest(recordID: target.record, purposes: ["none"], reason: "asked for"))
    },
    Row("RecordService/UpdateSharing", person) { clients, target in
      try await clients.records.updateSharing(UpdateSharingRequest(recordID: target.record))
    },
    Row("RecordService/ResolveAttention", person) { clients, target in
      try await clients.records.resolveAttention(
        ResolveAttentionRequest(recordID: target.record, decision: .reject, reason: "asked for"))
    },
    Row("RecordService/CreatePaperRecord", person) { clients, target in
      try await clients.records.createPaperRecord(
        CreatePaperRecordRequest(
          studyID: target.study, siteID: target.site, subjectID: target.subject, documentID: target.document,
          documentVersion: 1))
    },
    Row("RecordService/ListDueConsents", wholeStudy) { clients, target in
      try await clients.records.listDueConsents(ListDueConsentsRequest(studyID: target.study))
    },
    Row("RecordService/GetVersionCounts", study) { clients, target in
      try await clients.records.getVersionCounts(GetVersionCountsRequest(documentID: target.document, version: 1))
    },
    Row("RecordService/CheckConsent", person) { clients, target in
      try await clients.records.checkConsent(
        CheckConsentRequest(studyID: target.study, subjectID: target.subject, purpose: "research"))
    },
    Row("RecordService/BatchCheckConsents", person) { clients, target in
      let question = ConsentQuestion(subjectID: target.subject, purpose: "research")
      return try await clients.records.batchCheckConsents(
        BatchCheckConsentsRequest(studyID: target.study, questions: [question]))
    },
    Row("RecordService/IssueStatement", person) { clients, target in
      try await clients.records.issueStatement(
        IssueStatementRequest(studyID: target.study, subjectID: target.subject, purpose: "research"))
    },
    Row("RecordService/ListEvents", wholeStudy) { clients, target in
      try await clients.records.listEvents(ListEventsRequest(studyID: target.study, pageSize: 1))
    },
    Row("RecordService/ListEvents", wholeTenant) { clients, _ in
      try await clients.records.listEvents(ListEventsRequest(pageSize: 1))
    },
    Row("RecordService/ListTrail", wholeStudy) { clients, target in
      try await clients.records.listTrail(ListTrailRequest(studyID: target.study, pageSize: 1))
    },
    Row("RecordService/WatchEvents", wholeStudy) { clients, target in
      let stream = try clients.records.watchEvents(
        WatchEventsRequest(studyID: target.study), deadline: .seconds(20))
      defer { stream.cancel() }
      for try await event in stream { return event }
      return WatchEventsResponse()
    },
    Row("RecordService/ExportRecord", person) { clients, target in
      try await clients.records.exportRecord(ExportRecordRequest(recordID: target.record, format: .receipt))
    },
    Row("RecordService/ExportSubject", person) { clients, target in
      try await clients.records.exportSubject(ExportSubjectRequest(subjectID: target.subject))
    },
    Row("RecordService/GetEvidence", person) { clients, target in
      try await clients.records.getEvidence(GetEvidenceRequest(recordID: target.record))
    },
    Row("RecordService/ListConsentHeads", tenant) { clients, _ in
      try await clients.records.listConsentHeads(ListConsentHeadsRequest())
    },
    Row("RecordService/EraseSubject", personOfStudy) { clients, target in
      try await clients.records.eraseSubject(EraseSubjectRequest(subjectID: target.subject))
    },
    Row("RecordService/GetLegalHold", personOfStudy) { clients, target in
      try await clients.records.getLegalHold(GetLegalHoldRequest(subjectID: target.subject))
    },
    Row("RecordService/SetLegalHold", personOfStudy) { clients, target in
      try await clients.records.setLegalHold(SetLegalHoldRequest(subjectID: target.subject, held: true))
    },
  ]
}
