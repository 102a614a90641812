internal import AccountContract
internal import Base
internal import OpenID
internal import RPC
internal import ServicePolicy
internal import Storage

/// Signing people in by an OpenID provider on the gateway's own pages: the authorization code flow.
///
/// Between its two halves nothing is stored here. The page keeps the attempt, which the device that began it can finish
/// at any gateway and any instance of this service.
extension SignInHandlers {
  func startIdentitySignIn(
    _ request: StartIdentitySignInRequest, context: CallContext
  ) async throws -> StartIdentitySignInResponse {
    try PageAddress.check(request.page)
    let (provider, tenant, device) = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      return (try PageProvider(request.issuer, snapshot), caller.tenant.id, device.id)
    }
    let metadata = try await parts.metadata(of: provider, context)
    let attempt = IdentityAttempt(
      tenant: tenant, device: device, issuer: provider.issuer.issuer, page: request.page,
      session: parts.identifiers.next(), begunAt: parts.clock.now)
    let attempts = parts.identityAttempts
    let address = metadata.address(asking: [
      ("response_type", "code"), ("client_id", provider.issuer.client?.clientID ?? ""), ("redirect_uri", attempt.page),
      ("scope", provider.scope), ("state", attempts.state(of: attempt)), ("nonce", attempts.nonce(of: attempt)),
      ("code_challenge", attempts.challenge(of: attempt)), ("code_challenge_method", "S256"),
      // Several people share the device: the provider asks who is there, whomever it knew in this browser before.
      ("prompt", "login"), ("max_age", "0"),
    ])
    return StartIdentitySignInResponse(
      address: address, state: attempts.state(of: attempt), attempt: attempts.text(of: attempt))
  }

  func finishIdentitySignIn(
    _ request: FinishIdentitySignInRequest, context: CallContext
  ) async throws -> FinishIdentitySignInResponse {
    guard let attempt = parts.identityAttempts.attempt(in: request.attempt) else { throw Self.unknownAttempt }
    let (state, now) = (parts.identityAttempts.state(of: attempt), parts.clock.now)
    guard isSame(Array(state.utf8), Array(request.state.utf8)), now < attempt.begunAt + IdentityAttempt.lasts else {
      throw Self.unknownAttempt
    }
    guard !request.code.isEmpty, request.code.utf8.count <= 4_096 else {
      throw Refusal(.invalid, "missing", field: "code", "code must have 1 to 4096 bytes")
    }
    let provider = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      guard caller.tenant.id == attempt.tenant, caller.device == attempt.device else { throw Self.unknownAttempt }
      _ = try DeviceStore.inUse(caller.device, snapshot)
      guard try SessionStore.session(attempt.session, snapshot) == nil else { throw Self.finished }
      return try PageProvider(attempt.issuer, snapshot)
    }
    let metadata = try await parts.metadata(of: provider, context)
    // A provider whose code is brought to another one would learn that one's (RFC 9207).
    guard request.issuer == attempt.issuer || request.issuer.isEmpty && !metadata.namesItself else {
      throw Refusal(
        .unauthenticated, "other_issuer", field: "issuer",
        "the code is not of '\(attempt.issuer)', at which this sign-in was begun")
    }
    let grant = IssuerGrant.code(
      request.code, page: attempt.page, verifier: parts.identityAttempts.verifier(of: attempt))
    let given = try await parts.tokens(for: grant, of: provider, at: metadata, context)
    let nonce = parts.identityAttempts.nonce(of: attempt)
    let vouched = try await parts.vouched(
      by: given.idToken, of: [provider.issuer], nonce: nonce, since: attempt.begunAt, field: "code", context)
    let renewal = IdentityRenewal(
      session: attempt.session, issuer: attempt.issuer, nonce: nonce, token: given.renewal)
    let begun = try await enter(
      vouched, as: attempt.session, renewedBy: given.renewal.isEmpty ? nil : renewal, field: "code", context)
    return FinishIdentitySignInResponse(
      session: begun.session, tokens: begun.tokens, uploadGrant: begun.uploadGrant, autoLock: begun.autoLock,
      maySetPasscode: begun.maySetPasscode)
  }

  private static var unknownAttempt: Refusal {
    Refusal(
      .unauthenticated, "unknown_attempt", field: "attempt",
      "this device began no such sign-in in the last ten minutes; begin again")
  }

  static var finished: Refusal {
    Refusal(.unauthenticated, "attempt_used_up", field: "attempt", "this sign-in is finished; begin again")
  }

  // MARK: Renewal

  private struct Renewable: Sendable {
    let session: StoredSession
    let renewal: IdentityRenewal
    let provider: PageProvider
  }

  /// What a provider says now of the person of a session that it renews.
  struct Renewed: Sendable {
    let vouched: VouchedPerson
    let renewal: IdentityRenewal
  }

  /// Asks the provider for another ID token, where the session is one that it renews; nil where it is not, and where
  /// the refresh token is not the session's present one.
  func renewed(_ shown: TokenMaker.Refresh, _ context: CallContext) async throws -> Renewed? {
    let found = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ -> Renewable? in
      guard let session = try SessionStore.session(shown.sessionID, snapshot), session.endedAt == nil,
        snapshot.now < session.expiresAt, session.deviceID == caller.device,
        isSame(shown.digest.bytes, session.refresh),
        let renewal = try RenewalStore.renewal(of: session, snapshot)
      else { return nil }
      return Renewable(session: session, renewal: renewal, provider: try PageProvider(renewal.issuer, snapshot))
    }
    guard let found else { return nil }
    let metadata = try await parts.metadata(of: found.provider, context)
    let given = try await parts.tokens(for: .renewal(found.renewal.token), of: found.provider, at: metadata, context)
    // Such a token has no nonce, or the first one's (OpenID Connect Core 1.0, 12.2).
    func person(withNonce nonce: String) async throws -> VouchedPerson {
      try await parts.vouched(
        by: given.idToken, of: [found.provider.issuer], nonce: nonce, field: "refresh_token", context)
    }
    let vouched: VouchedPerson
    do {
      vouched = try await person(withNonce: "")
    } catch let refusal as Refusal where refusal.rule == IdentityFault.nonce.rawValue {
      vouched = try await person(withNonce: found.renewal.nonce)
    }
    guard vouched.person.id == found.session.personID else {
      throw Refusal(
        .unauthenticated, "other_person", field: "refresh_token",
        "'\(found.renewal.issuer)' speaks of somebody else now; sign in again")
    }
    let next = IdentityRenewal(
      session: found.session.id, issuer: found.renewal.issuer, nonce: found.renewal.nonce,
      token: given.renewal.isEmpty ? found.renewal.token : given.renewal)
    return Renewed(vouched: vouched, renewal: next)
  }
}
