internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Tokens
internal import Wire

/// The handlers of SignInService: signing in, and sessions.
struct SignInHandlers: SignInServiceProtocol {
  let parts: AccountParts
  /// Iterations of PBKDF2 with which a device opens a local store. docs/unlock.md gives the reason.
  private static let unlockIterations: Int32 = 600_000

  func signIn(_ request: SignInRequest, context: CallContext) async throws -> SignInResponse {
    let proof = try await prove(request.personID, request.passcode, context)
    let fresh = (
      session: parts.identifiers.next(), random: parts.randomness.bytes(32), salt: parts.randomness.bytes(32),
      verifier: parts.identifiers.next()
    )
    // A verifier that was made at another cost is replaced now, because the passcode is known.
    let renewed =
      Argon2.needsRenewal(proof.verifier, parts.passcodes.cost)
      ? try await parts.passcodes.verifier(of: request.passcode, for: context.turn) : nil
    let tokens = parts.tokens
    // A repeat of the call has to prove the passcode again and begins another session, so no response with tokens is
    // stored for it.
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let place = try Self.mayEnter(request.personID, by: proof, caller, transaction)
      try place.placement.requireOwnPasscode()
      let subject = try place.person.subject()
      if let renewed {
        try PlacementStore.setVerifier(renewed, of: subject, on: caller.device, mustChange: false, transaction)
      }
      let settings = try SettingsStore.settings(transaction)
      let refresh = tokens.refresh(for: fresh.session, random: fresh.random)
      let session = try Self.begin(refresh, of: subject, for: tokens.lifetimes.refresh, by: caller, transaction)
      let offline = OfflineVerifier(
        verifierID: fresh.verifier, personID: subject.id, deviceID: caller.device, salt: fresh.salt,
        iterations: Self.unlockIterations, attempts: Int32(GuessRules.person.free * 2),
        expiresAt: Timestamp(transaction.now + settings.offlineFor))
      try OfflineVerifierStore.insert(offline, transaction)
      return SignInResponse(
        session: session,
        tokens: tokens.person(
          session, roles: try RoleStore.roles(of: subject.id, transaction), refresh: refresh,
          for: tokens.lifetimes.refresh, of: caller.tenant, at: transaction.now),
        uploadGrant: tokens.uploadGrant(
          session, of: caller.tenant, at: transaction.now, lifetime: settings.uploadFor),
        offline: offline, autoLock: ProtobufDuration(settings.lockAfter))
    }
  }

  /// Begins a session at the caller's device, and puts it on record. A device has one person at a time, so earlier
  /// sessions at the device end.
  static func begin(
    _ refresh: TokenMaker.Refresh, of subject: Subject, for lifetime: Duration, note: String = "", by caller: Caller,
    _ transaction: Transaction
  ) throws -> SignInSession {
    let (device, now) = (caller.device, transaction.now)
    for running in try SessionStore.running(on: device, transaction) {
      try transaction.endSession(running, by: caller.actor)
    }
    let session = SignInSession(
      sessionID: refresh.sessionID, personID: subject.id, deviceID: device, startedAt: Timestamp(now),
      lastUsedAt: Timestamp(now))
    try SessionStore.insert(session, refresh: refresh.digest, until: now + lifetime, transaction)
    try PlacementStore.noteSignIn(of: subject.id, on: device, transaction)
    try DeviceStore.select(subject.id, on: device, transaction)
    try transaction.note(
      .signedIn, by: subject.id, person: subject.id, device: device, session: session.sessionID, note: note)
    transaction.concern(subject)
    return session
  }

  func refreshTokens(_ request: RefreshTokensRequest, context: CallContext) async throws -> RefreshTokensResponse {
    guard let shown = TokenMaker.Refresh(request.refreshToken) else { throw Self.badRefresh }
    let renewed = try await renewed(shown, context)
    let (random, tokens) = (parts.randomness.bytes(32), parts.tokens)
    do {
      // The idempotency key belongs to the device, so that an app may repeat the call with the device's token or the
      // person's, which may have expired meanwhile.
      return try await parts.data.once(
        request, context, keyOf: .device, repeatableBy: shown.secret, of: AccountData.own
      ) { transaction, caller, _ in
        if let person = try SessionStore.person(of: shown.sessionID, transaction) {
          try PersonStore.hold(person, transaction)
        }
        guard let session = try SessionStore.locked(shown.sessionID, transaction), session.endedAt == nil,
          transaction.now < session.expiresAt
        else { throw Self.badRefresh }
        let isCurrent = isSame(shown.digest.bytes, session.refresh)
        // A made-up token must not end the session, whose identifier others may know.
        guard isCurrent || tokens.hasMade(shown) else { throw Self.badRefresh }
        // The token was used before, or at another device, so it may have been stolen. Its session ends.
        guard isCurrent, session.deviceID == caller.device else { throw Reused() }
        _ = try DeviceStore.inUse(caller.device, transaction)
        // A person who was locked out, or taken off the device's list, cannot continue.
        guard try PersonStore.person(session.personID, transaction)?.isActive == true,
          try PlacementStore.placement(of: session.personID, on: session.deviceID, transaction) != nil
        else { throw Self.badRefresh }
        let next = tokens.refresh(for: session.id, random: random)
        // What a provider vouches for lasts as long as an access token, until it vouches again.
        let lifetime = renewed == nil ? tokens.lifetimes.refresh : tokens.lifetimes.access
        let end = transaction.now + lifetime
        guard try SessionStore.renew(session, refresh: next.digest, until: end, transaction) else { throw Reused() }
        let person = try Subject.stored(session.personID)
        transaction.concern(person)
        if let renewed { try RenewalStore.put(renewed.renewal, of: person, on: session.deviceID, transaction) }
        let roles = RoleText.union(
          try RoleStore.roles(of: session.personID, transaction), renewed?.vouched.roles ?? [])
        return RefreshTokensResponse(
          tokens: tokens.person(
            session.message, roles: roles, refresh: next, for: lifetime, of: caller.tenant, at: transaction.now))
      }
    } catch is Reused {
      try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
        guard let session = try SessionStore.locked(shown.sessionID, transaction) else { return }
        try transaction.endSession(session, by: caller.actor, as: .tokenReused)
      }
      throw Refusal(
        .unauthenticated, "refresh_token_reused", field: "refresh_token",
        "refresh_token was used before, or belongs to another device; its session has ended")
    }
  }

  private struct Reused: Error {}

  private static var badRefresh: Refusal {
    Refusal(
      .unauthenticated, "bad_refresh_token", field: "refresh_token",
      "refresh_token is none, has expired, or its session has ended; sign in again")
  }

  func listSessions(_ request: ListSessionsRequest, context: CallContext) async throws -> ListSessionsResponse {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      ListSessionsResponse(sessions: try SessionStore.running(of: try caller.person(), snapshot).map(\.message))
    }
  }

  func endSessions(_ request: EndSessionsRequest, context: CallContext) async throws -> EndSessionsResponse {
    try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      let person = try caller.person()
      if request.sessionID.isEmpty {
        return EndSessionsResponse(ended: Int32(try transaction.endSessions(of: person, by: caller.actor)))
      }
      guard let session = try SessionStore.locked(request.sessionID, transaction), session.personID == person else {
        throw Refusal.notFound("session", request.sessionID)
      }
      return EndSessionsResponse(ended: try transaction.endSession(session, by: caller.actor) ? 1 : 0)
    }
  }

  func getTokenKeys(_ request: GetTokenKeysRequest, context: CallContext) async throws -> GetTokenKeysResponse {
    // All tenants share the keys that sign tokens. The key that signs proofs of authentication is a different one for
    // each tenant.
    let tenant = Tenant(context.identity.tenant)
    return GetTokenKeysResponse(
      jwks: parts.tokens.keys.published(at: parts.clock.now).jwks,
      verifierKey: tenant.map { parts.voucher.publicKey(of: $0) } ?? [])
  }

  /// The account and the placement of a person who has proved who they are; throws if the person may not sign in.
  ///
  /// - Parameter proof: nil when the person has proved something else than the passcode.
  static func mayEnter(
    _ personID: String, by proof: Proof?, _ caller: Caller, _ transaction: Transaction
  ) throws -> (person: StoredPerson, placement: Placement) {
    _ = try DeviceStore.inUse(caller.device, transaction)
    try PersonStore.hold(personID, transaction)
    guard let person = try PersonStore.person(personID, transaction),
      let placement = try PlacementStore.placement(of: personID, on: caller.device, transaction)
    else { throw SignInHandlers.wrongPasscode }
    guard person.isActive else {
      throw person.lockedOut
    }
    if let proof, try !proof.stillHolds(for: person.subject(), on: caller.device, transaction) {
      throw SignInHandlers.wrongPasscode
    }
    return (person, placement)
  }
}
