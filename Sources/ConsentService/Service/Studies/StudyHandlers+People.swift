internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// What participants see of a study: invitations, and a tenant's own texts.
extension StudyHandlers {
  func createInvitation(
    _ request: CreateInvitationRequest, context: CallContext
  ) async throws -> CreateInvitationResponse {
    try await data.once(request, context) { transaction, caller in
      var invitation = request.invitation ?? StudyInvitation()
      let flow = try FlowStore.flow(invitation.flowID, transaction)
      try caller.require([.coordinator, .investigator], study: flow.studyID, site: invitation.siteID)
      try StudyStore.checkSite(invitation.siteID, of: flow.studyID, transaction)
      if let end = invitation.expiresAt, end.instant == nil {
        let message = "invitation.expires_at is \(end.seconds) seconds since 1970; it must lie in the years 1 to 9999"
        throw Refusal(.invalid, "time_out_of_bounds", field: "invitation.expires_at", message)
      }
      invitation.code = Self.code(randomness.bytes(10))
      invitation.used = false
      try StudyStore.save(invitation, transaction)
      let event = ConsentEvent(
        kind: .invitationChanged, studyID: flow.studyID, siteID: invitation.siteID, subjectID: invitation.subjectID,
        test: invitation.test, flowID: flow.flowID)
      try transaction.note(event, by: caller)
      return CreateInvitationResponse(invitation: invitation)
    }
  }

  /// Ten letters and digits that are not confused when read aloud.
  private static func code(_ bytes: [UInt8]) -> String {
    let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    return String(bytes.map { letters[Int($0) % letters.count] })
  }

  func setTexts(_ request: SetTextsRequest, context: CallContext) async throws -> SetTextsResponse {
    let answer: SetTextsResponse = try await data.once(request, context) { transaction, caller in
      try caller.requireUnbound()
      let before = try StudyStore.words(transaction)
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
      // As they were already: the call may be repeated.
      if try StudyStore.words(transaction) != before {
        try transaction.note(ConsentEvent(kind: .textsChanged), by: caller)
      }
      return SetTextsResponse()
    }
    scripts.forgetAll()
    return answer
  }

  func getTexts(_ request: GetTextsRequest, context: CallContext) async throws -> GetTextsResponse {
    try await data.read(context) { snapshot, _ in
      let locale = try LocaleTag.checked(request.locale, "locale")
      let overrides = try StudyStore.words(snapshot)
      let texts = ScreenTexts(locale: locale, standIn: locale, overrides: overrides)
      let list = TextKey.allCases.map { key in
        CatalogText(
          key: key.rawValue, text: texts[key],
          overridden: locale.fallbacks.contains { overrides[key]?[$0] != nil })
      }
      return GetTextsResponse(texts: list, rightToLeft: locale.isRightToLeft)
    }
  }
}
