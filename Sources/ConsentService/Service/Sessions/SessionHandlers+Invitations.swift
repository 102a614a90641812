internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Sessions that begin, and go on, by an invitation: at a device that knows its code, and in a browser by its link.
extension SessionHandlers {
  /// Throws unless the invitation that the request shows may be opened, and counts what was guessed wrongly.
  func checkInvitation(_ request: StartSessionRequest, _ context: CallContext) async throws {
    guard !request.invitationCode.isEmpty else { return }
    let check = InvitationCheck(
      code: request.invitationCode, toldCode: request.toldCode, birthDate: request.birthDate)
    // Wrong codes are counted whatever they name, so nobody's data are touched yet.
    let nobody: ServiceDatabase.Lookup<AccessTarget> = { _, gate in
      var touched = AccessTarget(study: .none, subject: gate.callerName)
      touched.isBeginning = true
      return touched
    }
    let refusal = try await data.change(context, of: nobody) { transaction, caller, _ in
      try check.refusal(
        countingAt: GuessPlace("codes/\(caller.actor)", .device), field: "invitation_code", transaction)
    }
    // A repeat of a call is answered as the first one, also when the session has ended since.
    if let refusal, context.idempotencyKey.isEmpty || !refusal.isOfState { throw refusal }
  }

  /// Begins a session, or takes over the one that the invitation has begun.
  func beginOrTakeOver(
    _ start: SessionStart, _ request: StartSessionRequest, _ transaction: Transaction, _ caller: Caller
  ) throws -> (session: StoredSession, engine: FlowEngine) {
    if !start.invitation.isEmpty {
      let refusal = try InvitationStore.invitation(start.invitation, transaction).stateRefusal("invitation_code")
      if let refusal { throw refusal }
    }
    guard let running = start.running else {
      let begun = try begin(start, request, transaction, caller)
      try SessionStore.requireRoom(for: begun.session, transaction)
      return begun
    }
    var session = try SessionStore.session(running, transaction)
    let engine = try takeOver(
      &session, at: request.deviceID, locale: request.locale, request.assistance, transaction, caller)
    try session.noteInvitation("taken over", transaction, caller)
    return (session, engine)
  }

  /// Opens a link for a browser. A repeat takes the session over once more, for another browser, so nothing has to be
  /// kept for it.
  func openInvitation(_ request: OpenInvitationRequest, context: CallContext) async throws -> OpenInvitationResponse {
    guard let link = InvitationLink(request.link) else { throw InvitationStore.unknown("", field: "link") }
    let check = InvitationCheck(code: link.code, toldCode: request.toldCode, birthDate: request.birthDate)
    let refusal = try await data.changeByKind(context, in: link.tenant) { transaction in
      try check.refusal(countingAt: nil, field: "link", transaction)
    }
    if let refusal { throw refusal }
    let (newSubjectID, newSessionID) = (identifiers.next(), identifiers.next())
    let browser = "browser:\(Hex.encode(salts.bytes(16)))"
    return try await data.changeByKind(context, in: link.tenant) { transaction in
      let invitation = try InvitationStore.invitation(link.code, transaction)
      // A birth date is taken only where it was asked for, and has been compared.
      let start = StartSessionRequest(
        invitationCode: link.code, locale: request.locale, deviceID: browser,
        birthDate: invitation.challenge == .birthDate ? request.birthDate : nil, deviceTime: request.deviceTime)
      var found = SessionStart(request: start, sessionID: newSessionID, subjectID: newSubjectID)
      found.take(invitation)
      let caller = try Caller.browser(browser, in: found.running ?? newSessionID, of: link.tenant)
      let (session, engine) = try beginOrTakeOver(found, start, transaction, caller)
      return OpenInvitationResponse(
        session: try session.view(engine, schema: request.clientSchema, transaction), tenant: link.tenant.id,
        browserID: browser)
    }
  }

  /// Takes a session from the device that has it.
  func leaveSession(_ request: LeaveSessionRequest, context: CallContext) async throws -> LeaveSessionResponse {
    let find: ServiceDatabase.Lookup<StoredSession> = { snapshot, gate in
      let session = try StoredSession.meant(request.sessionID, gate, snapshot)
      // Leaving what was left changes nothing: the call may be repeated.
      return session.deviceID == StoredSession.nowhere
        ? session : try StoredSession.named(request.sessionID)(snapshot, gate)
    }
    return try await data.once(request, context, of: find) { transaction, caller, found in
      var session = found
      guard session.deviceID != StoredSession.nowhere else { return LeaveSessionResponse() }
      session.deviceID = StoredSession.nowhere
      let seen = session.version
      session.version += 1
      try SessionStore.update(session, from: seen, transaction)
      try transaction.note(ConsentEvent(.sessionActed, of: session), by: caller)
      return LeaveSessionResponse()
    }
  }
}

extension Refusal {
  /// Whether it says that an invitation leads nowhere any more.
  fileprivate var isOfState: Bool { rule.hasPrefix("invitation_") }
}

extension Caller {
  /// A browser that came by a link, as the gateway calls for it from here on.
  fileprivate static func browser(_ name: String, in session: String, of tenant: Tenant) throws(Refusal) -> Caller {
    try Caller(
      CallerIdentity(kind: .device, tenant: tenant.id, subject: name, device: name, grants: ["session@\(session)"]))
  }
}

extension StoredSession {
  /// Stands for the device of a session that was left: no device has this name.
  static let nowhere = "left:"

  /// Notes what an invitation did, if one began the session.
  func noteInvitation(_ note: String, _ transaction: Transaction, _ caller: Caller) throws {
    guard !invitation.isEmpty else { return }
    var event = ConsentEvent(.invitationChanged, of: self)
    event.note = note
    try transaction.note(event, by: caller)
  }
}
