import ConsentContract
import Wire

extension Row {
  static let studies: [Row] = [
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
}
