import ConsentContract
import RPC
import Wire

extension Row {
  static let records: [Row] = [
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
    Row("RecordService/ListDecisions", person) { clients, target in
      try await clients.records.listDecisions(
        ListDecisionsRequest(subjectID: target.subject, studyID: target.study))
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
    Row("RecordService/RetrySignedCopy", person) { clients, target in
      try await clients.records.retrySignedCopy(RetrySignedCopyRequest(recordID: target.record))
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
    Row("RecordService/VoidRecord", person) { clients, target in
      try await clients.records.voidRecord(VoidRecordRequest(recordID: target.record))
    },
    Row("RecordService/RefuseVoiding", person) { clients, target in
      try await clients.records.refuseVoiding(RefuseVoidingRequest(recordID: target.record))
    },
    Row("RecordService/CorrectPrintedName", person) { clients, target in
      try await clients.records.correctPrintedName(
        CorrectPrintedNameRequest(recordID: target.record, signatureID: "none", reason: "asked for"))
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
    Row("RecordService/ExportRecords", wholeStudy) { clients, target in
      let request = ExportRecordsRequest(studyID: target.study, format: .recordsCSV)
      let stream = try clients.records.exportRecords(request, deadline: .seconds(20))
      for try await part in stream { return part }
      return ExportRecordsResponse()
    },
    Row("RecordService/ExportRecords", site) { clients, target in
      let request = ExportRecordsRequest(studyID: target.study, siteID: target.site, format: .decisionsCSV)
      let stream = try clients.records.exportRecords(request, deadline: .seconds(20))
      for try await part in stream { return part }
      return ExportRecordsResponse()
    },
    Row("RecordService/ExportTrail", wholeStudy) { clients, target in
      let stream = try clients.records.exportTrail(
        ExportTrailRequest(studyID: target.study, format: .csv), deadline: .seconds(20))
      for try await part in stream { return part }
      return ExportTrailResponse()
    },
    Row("RecordService/ExportDossier", wholeStudy) { clients, target in
      try await clients.records.exportDossier(ExportDossierRequest(studyID: target.study, subjectID: "nobody"))
    },
    Row("RecordService/SealFile", wholeTenant) { clients, _ in
      try await clients.records.sealFile(SealFileRequest(digest: [UInt8](repeating: 1, count: 32), part: .seal))
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
    Row("RecordService/GetConsentFindings", tenant) { clients, _ in
      try await clients.records.getConsentFindings(GetConsentFindingsRequest())
    },
    Row("RecordService/EraseSubject", personOfStudy) { clients, target in
      try await clients.records.eraseSubject(EraseSubjectRequest(subjectID: target.subject))
    },
    Row("RecordService/NoteMergedSubject", tenant) { clients, _ in
      try await clients.records.noteMergedSubject(NoteMergedSubjectRequest(endedID: "no name", stayingID: "none"))
    },
    Row("RecordService/GetLegalHold", personOfStudy) { clients, target in
      try await clients.records.getLegalHold(GetLegalHoldRequest(subjectID: target.subject))
    },
    Row("RecordService/SetLegalHold", personOfStudy) { clients, target in
      try await clients.records.setLegalHold(SetLegalHoldRequest(subjectID: target.subject, held: true))
    },
  ]
}
