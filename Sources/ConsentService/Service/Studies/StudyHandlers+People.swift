internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// What participants see of a study: invitations, and a tenant's own texts.
extension StudyHandlers {
  func createInvitation(
    _ request: CreateInvitationRequest, context: CallContext
  ) async throws -> CreateInvitationResponse {
    let wanted = request.invitation ?? StudyInvitation()
    let find: ServiceDatabase.Lookup<Found<ConsentFlow>> = { snapshot, _ in
      let flow = try FlowStore.named(wanted.flowID, snapshot)
      return Found(flow, targets: try Self.invited(wanted, to: flow.studyID, snapshot))
    }
    let newSubjectID = identifiers.next()
    return try await data.once(request, context, of: find) { transaction, caller, found in
      var invitation = wanted
      let flow = found.value
      // The identifier stays in clear for good, in the invitation and its events.
      if !invitation.subjectID.isEmpty {
        _ = try Subject.named(invitation.subjectID, field: "invitation.subject_id")
      }
      try StudyStore.checkSite(invitation.siteID, of: flow.studyID, transaction)
      try Self.checkExpiry(invitation, at: transaction.now)
      let secret = try Self.secret(request, &invitation, today: CalendarDay(of: transaction.now))
      if secret != nil, invitation.subjectID.isEmpty { invitation.subjectID = newSubjectID }
      (invitation.state, invitation.sessionID, invitation.link) = (.unspecified, "", "")
      invitation.code = Self.code(randomness.bytes(10))
      try InvitationStore.save(invitation, of: flow.studyID, secret: secret, transaction)
      let event = ConsentEvent(
        kind: .invitationChanged, studyID: flow.studyID, siteID: invitation.siteID, subjectID: invitation.subjectID,
        test: invitation.test, flowID: flow.flowID)
      try transaction.note(event, by: caller)
      return CreateInvitationResponse(invitation: try InvitationStore.invitation(invitation.code, transaction))
    }
  }

  private static func checkExpiry(_ invitation: StudyInvitation, at now: Instant) throws(Refusal) {
    guard let end = invitation.expiresAt else { return }
    let field = "invitation.expires_at"
    guard let instant = end.instant else {
      let message = "\(field) is \(end.seconds) seconds since 1970; it must lie in the years 1 to 9999"
      throw Refusal(.invalid, "time_out_of_bounds", field: field, message)
    }
    guard instant > now else {
      throw Refusal(.invalid, "expiry_past", field: field, "\(field) is \(TimeText.rfc3339(instant)), which has passed")
    }
  }

  /// What the invitation will ask for besides its code; nil: nothing.
  private static func secret(
    _ request: CreateInvitationRequest, _ invitation: inout StudyInvitation, today: CalendarDay
  ) throws(Refusal) -> InvitationSecret? {
    invitation.challenge = .unspecified
    if let birthDate = request.birthDate {
      guard request.toldCode.isEmpty else {
        let message = "told_code and birth_date are both given; an invitation asks for one of them"
        throw Refusal(.invalid, "two_challenges", field: "told_code", message)
      }
      _ = try AnswerRules.birthDay(birthDate, "birth_date", today: today)
      invitation.challenge = .birthDate
      return InvitationSecret(birthDate: birthDate)
    }
    guard !request.toldCode.isEmpty else { return nil }
    let code = request.toldCode
    guard (4...32).contains(code.utf8.count), code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw Refusal(.invalid, "bad_told_code", field: "told_code", "told_code must be 4 to 32 letters and digits")
    }
    invitation.challenge = .toldCode
    return InvitationSecret(toldCode: code)
  }

  /// The data that an invitation touches: at the site to which it invites and, if it names somebody on record, at the
  /// sites where that person takes part, since the invitation's holder may continue as that person.
  private static func invited(
    _ invitation: StudyInvitation, to studyID: String, _ snapshot: Snapshot
  ) throws -> [AccessTarget] {
    try ConsentRelations(snapshot: snapshot).joining(invitation.subjectID, studyID, at: invitation.siteID)
  }

  func listInvitations(
    _ request: ListInvitationsRequest, context: CallContext
  ) async throws -> ListInvitationsResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let find: ServiceDatabase.Lookup<Found<ListInvitationsResponse>> = { snapshot, gate in
      let study = try StudyStore.study(request.studyID, snapshot)
      let (found, next) = try InvitationStore.invitations(of: study.studyID, page, snapshot)
      let open = try found.compactMap { invitation -> StudyInvitation? in
        let touched = try Self.invited(invitation, to: study.studyID, snapshot)
        guard try gate.isOpen(to: touched, snapshot) else { return nil }
        if invitation.state != .usable { return invitation }
        // Whoever has the code of a usable invitation can begin a session with it, or go on with the one that runs.
        if try gate.isOpen(to: touched, by: StudyServiceMethods.revokeInvitation, snapshot) { return invitation }
        var shown = invitation
        (shown.code, shown.link) = ("", "")
        return shown
      }
      return Found(ListInvitationsResponse(invitations: open, nextPageToken: next), targets: study)
    }
    return try await data.disclose(context, of: find) { _, found, disclosure in
      let list = AccessTarget.study(request.studyID)
      disclosure.note(found.value.invitations.count, "invitations", of: list, for: "list of invitations")
      return found.value
    }
  }

  /// Revoking a revoked invitation changes nothing: the call may be repeated.
  func revokeInvitation(
    _ request: RevokeInvitationRequest, context: CallContext
  ) async throws -> RevokeInvitationResponse {
    let find: ServiceDatabase.Lookup<Found<ConsentFlow>> = { snapshot, _ in
      let invitation = try InvitationStore.invitation(request.code, snapshot)
      let flow = try FlowStore.named(invitation.flowID, snapshot)
      return Found(flow, targets: try Self.invited(invitation, to: flow.studyID, snapshot))
    }
    return try await data.once(request, context, of: find) { transaction, caller, found in
      let invitation = try InvitationStore.invitation(request.code, transaction)
      if invitation.state == .usedUp {
        let message = "code is that of an invitation whose session has ended"
        throw Refusal(.precondition, "invitation_used_up", field: "code", message)
      }
      if try InvitationStore.revoke(invitation.code, transaction) {
        let event = ConsentEvent(
          kind: .invitationChanged, studyID: found.value.studyID, siteID: invitation.siteID,
          subjectID: invitation.subjectID, note: "revoked", test: invitation.test, flowID: invitation.flowID)
        try transaction.note(event, by: caller)
      }
      return RevokeInvitationResponse(invitation: try InvitationStore.invitation(request.code, transaction))
    }
  }

  /// Ten letters and digits that are not confused when read aloud.
  private static func code(_ bytes: [UInt8]) -> String {
    let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    return String(bytes.map { letters[Int($0) % letters.count] })
  }

  func setTexts(_ request: SetTextsRequest, context: CallContext) async throws -> SetTextsResponse {
    return try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let current = try TextsStore.current(transaction)
      let words = try OwnTexts.merged(current.overrides, with: request.overrides)
      // Unchanged words store nothing, so the call may be repeated.
      if words == current.overrides { return try Self.texts(in: transaction) }
      var texts = TextsVersion(
        overrides: words, hash: try OwnTexts.hash(words).hex, setBy: caller.actor, at: Timestamp(transaction.now))
      let keys = OwnTexts.changedKeys(from: current.overrides, to: words).joined(separator: ", ")
      if try StudyStore.wantsSecondPerson(transaction) {
        let waiting = try TextsStore.pending(transaction)
        let person = try Approver(caller, field: "overrides", transaction)
        guard let pending = waiting, pending.overrides == words else {
          try TextsStore.ask(for: texts, transaction)
          try transaction.note(
            ConsentEvent(kind: .approvalRequested, hash: texts.hash, note: "texts: \(keys)"), by: caller)
          return try Self.texts(in: transaction)
        }
        // Asking again changes nothing: another person has to approve.
        if person.asked(as: pending.setBy) { return try Self.texts(in: transaction) }
        (texts.setBy, texts.approvedBy) = (pending.setBy, person.name)
      }
      texts.version = try current.version.following("the version of the words in force")
      try TextsStore.publish(texts, transaction)
      try transaction.note(
        ConsentEvent(kind: .textsChanged, version: texts.version, hash: texts.hash, note: "texts: \(keys)"), by: caller)
      return try Self.texts(in: transaction)
    }
  }

  private static func texts(in snapshot: Snapshot) throws -> SetTextsResponse {
    let current = try TextsStore.current(snapshot)
    return SetTextsResponse(
      texts: current.version == 0 ? nil : current, pending: try TextsStore.pending(snapshot))
  }

  func getTexts(_ request: GetTextsRequest, context: CallContext) async throws -> GetTextsResponse {
    try await data.read(context, of: .tenant) { snapshot, caller, _ in
      let locale = try LocaleTag.checked(request.locale, "locale")
      let own = try TextsStore.current(snapshot)
      let overrides = own.lookup
      let texts = ScreenTexts(locale: locale, standIn: locale, own: own)
      let list = TextKey.allCases.map { key in
        let found = texts.found(key)
        return CatalogText(
          key: key.rawValue, text: found.text,
          overridden: overrides[key]?[found.locale] == found.text, locale: found.locale)
      }
      let leftwards = list.count { LocaleTag.isRightToLeft($0.locale) }
      return GetTextsResponse(
        texts: list, rightToLeft: 2 * leftwards > list.count, version: own.version, hash: own.hash,
        pending: caller.administersTenant ? try TextsStore.pending(snapshot) : nil)
    }
  }
}
