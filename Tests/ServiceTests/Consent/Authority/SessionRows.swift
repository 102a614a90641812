import ConsentContract
import Wire

extension Row {
  static let sessions: [Row] = [
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
    Row("SessionService/OpenInvitation", tenant) { clients, target in
      try await clients.sessions.openInvitation(OpenInvitationRequest(link: "\(target.tenant).NONE"))
    },
    Row("SessionService/LeaveSession", person) { clients, target in
      try await clients.sessions.leaveSession(LeaveSessionRequest(sessionID: target.endedSession))
    },
    Row("SessionService/GetOfflineBundle", assisted) { clients, target in
      try await clients.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: target.runningSession))
    },
    Row("SessionService/GetOfflineBundle", person) { clients, target in
      try await clients.sessions.getOfflineBundle(GetOfflineBundleRequest(begin: start(target)))
    },
    Row("SessionService/GetOfflineBundle", assisting) { clients, target in
      var begin = start(target)
      begin.assistance = .readsAloud
      return try await clients.sessions.getOfflineBundle(GetOfflineBundleRequest(begin: begin))
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
    Row("SessionService/DeclineToSign", signing("WITNESS")) { clients, target in
      try await clients.sessions.declineToSign(
        DeclineToSignRequest(recordID: target.record, signatureID: "witness"))
    },
    Row("SessionService/DeclineToSign", signing("INVESTIGATOR")) { clients, target in
      try await clients.sessions.declineToSign(
        DeclineToSignRequest(recordID: target.record, signatureID: "investigator"))
    },
    Row("SessionService/SignRecord", signing("PARTICIPANT")) { clients, target in
      try await clients.sessions.signRecord(SignRecordRequest(recordID: target.record, signatureID: "participant"))
    },
  ]

  private static func start(_ target: Target) -> StartSessionRequest {
    StartSessionRequest(
      flowID: target.flow, siteID: target.site, subjectID: target.subject, locale: "no locale", clientSchema: 2)
  }
}
