internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Studies, sites, invitations, and a tenant's own words.
extension ConsentHandlers {
  package func putStudy(_ request: PutStudyRequest, context: CallContext) async throws -> PutStudyResponse {
    try await write(request, context) { transaction, caller in
      var study = request.study ?? ConsentStudy()
      study.id = try name(study.id, "study.id")
      try caller.require([.admin], study: study.id)
      if trimmed(study.name).isEmpty {
        throw Refusal(.invalid, "missing_text", field: "study.name", "study.name is empty")
      }
      guard let locale = LocaleTag(study.defaultLocale.isEmpty ? "en" : study.defaultLocale) else {
        let message = "study.default_locale is '\(study.defaultLocale.prefix(40))', which is no language tag"
        throw Refusal(.invalid, "unknown_locale", field: "study.default_locale", message)
      }
      guard (0...36_500).contains(study.retentionDays) else {
        let message = "study.retention_days is \(study.retentionDays); it must be 0 to 36500"
        throw Refusal(.invalid, "out_of_bounds", field: "study.retention_days", message)
      }
      try AuthenticationRules.check(study)
      study.defaultLocale = locale.text
      let isKnown = try StudyStore.exists(study.id, transaction)
      study.createdAtMs =
        isKnown ? try StudyStore.study(study.id, transaction).createdAtMs : transaction.now.millisecondsSince1970
      try StudyStore.save(study, transaction)
      try Retention.setPolicy(of: study, by: caller.actor, transaction)
      try transaction.note(ConsentEvent(kind: .studyChanged, studyID: study.id), by: caller)
      return PutStudyResponse(study: study)
    }
  }

  package func listStudies(_ request: ListStudiesRequest, context: CallContext) async throws -> ListStudiesResponse {
    try await read(context) { snapshot, caller in
      let studies = try StudyStore.studies(snapshot).filter { study in
        caller.mayEnter(study.id)
      }
      return ListStudiesResponse(studies: studies)
    }
  }

  package func putSite(_ request: PutSiteRequest, context: CallContext) async throws -> PutSiteResponse {
    try await write(request, context) { transaction, caller in
      var site = request.site ?? StudySite()
      site.id = try name(site.id, "site.id")
      try caller.require([.admin], study: site.studyID)
      _ = try StudyStore.study(site.studyID, transaction)
      try StudyStore.save(site, transaction)
      try transaction.note(ConsentEvent(kind: .studyChanged, studyID: site.studyID, siteID: site.id), by: caller)
      return PutSiteResponse(site: site)
    }
  }

  package func listSites(_ request: ListSitesRequest, context: CallContext) async throws -> ListSitesResponse {
    try await read(context) { snapshot, caller in
      try caller.requireEntry(to: request.studyID)
      _ = try StudyStore.study(request.studyID, snapshot)
      return ListSitesResponse(sites: try StudyStore.sites(of: request.studyID, snapshot))
    }
  }

  package func createInvitation(
    _ request: CreateInvitationRequest, context: CallContext
  ) async throws -> CreateInvitationResponse {
    try await write(request, context) { transaction, caller in
      var invitation = request.invitation ?? StudyInvitation()
      let flow = try FlowStore.flow(invitation.flowID, transaction)
      try caller.require([.coordinator, .investigator], study: flow.studyID, site: invitation.siteID)
      try StudyStore.checkSite(invitation.siteID, of: flow.studyID, transaction)
      invitation.code = Self.code(randomness.bytes(10))
      invitation.used = false
      try StudyStore.save(invitation, transaction)
      let event = ConsentEvent(
        kind: .invitationChanged, studyID: flow.studyID, siteID: invitation.siteID, subjectID: invitation.subjectID,
        test: invitation.test)
      try transaction.note(event, by: caller)
      return CreateInvitationResponse(invitation: invitation)
    }
  }

  /// Ten letters and digits that nobody confuses when reading them aloud.
  private static func code(_ bytes: [UInt8]) -> String {
    let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    return String(bytes.map { letters[Int($0) % letters.count] })
  }

  package func putTextOverrides(
    _ request: PutTextOverridesRequest, context: CallContext
  ) async throws -> PutTextOverridesResponse {
    let answer: PutTextOverridesResponse = try await write(request, context) { transaction, caller in
      try caller.requireUnbound()
      for (index, override) in request.overrides.enumerated() {
        let field = "overrides[\(index)]"
        guard let key = TextKey(rawValue: override.key) else {
          let message = "\(field).key is '\(override.key.prefix(80))', which is no text of the catalogue"
          throw Refusal(.notFound, "unknown_text", field: "\(field).key", message)
        }
        var translations = override.text?.translations ?? []
        for place in translations.indices {
          guard let locale = LocaleTag(translations[place].locale), translations[place].text.utf8.count <= 2000 else {
            let message = "\(field).text has locale '\(translations[place].locale.prefix(40))' or more than 2000 bytes"
            throw Refusal(.invalid, "bad_translation", field: "\(field).text", message)
          }
          translations[place].locale = locale.text
        }
        try StudyStore.replaceWords(key, translations, transaction)
      }
      try transaction.note(ConsentEvent(kind: .textsChanged), by: caller)
      return PutTextOverridesResponse()
    }
    scripts.forgetAll()
    return answer
  }

  package func listTexts(_ request: ListTextsRequest, context: CallContext) async throws -> ListTextsResponse {
    try await read(context) { snapshot, _ in
      let locale = try Self.locale(request.locale, "locale")
      let overrides = try StudyStore.words(snapshot)
      let texts = ScreenTexts(locale: locale, standIn: locale, overrides: overrides)
      let list = TextKey.allCases.map { key in
        CatalogText(
          key: key.rawValue, text: texts[key],
          overridden: locale.fallbacks.contains { overrides[key]?[$0] != nil })
      }
      return ListTextsResponse(texts: list, rightToLeft: locale.isRightToLeft)
    }
  }

  static func locale(_ text: String, _ field: String) throws(Refusal) -> LocaleTag {
    guard let locale = LocaleTag(text) else {
      let message = "\(field) is '\(text.prefix(40))', which is no language tag such as 'de-AT'"
      throw Refusal(.invalid, "unknown_locale", field: field, message)
    }
    return locale
  }
}

extension Caller {
  /// True when a study is not closed to the caller: an app bound to no study, or somebody with any role in it.
  func mayEnter(_ study: String) -> Bool {
    if isUnbound || (identity.access == .device && identity.grants.isEmpty) { return true }
    return identity.grants.contains { grant in
      let place = grant.split(separator: "@", maxSplits: 1).last ?? ""
      return place == "*" || place == study || place.hasPrefix("\(study)/")
    }
  }

  func requireEntry(to study: String) throws(Refusal) {
    guard mayEnter(study) else {
      throw Refusal(.denied, "role_missing", "'\(actor)' has no role in study '\(study)'")
    }
  }
}
