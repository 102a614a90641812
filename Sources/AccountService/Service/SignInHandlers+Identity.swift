internal import AccountContract
internal import Base
internal import OpenID
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signing in people for whom an OpenID provider vouches that the tenant trusts.
extension SignInHandlers {
  func signInWithIdentity(
    _ request: SignInWithIdentityRequest, context: CallContext
  ) async throws -> SignInWithIdentityResponse {
    let identity = try await identity(request, context)
    let fresh = (
      session: parts.identifiers.next(), random: parts.randomness.bytes(32), recovery: parts.randomness.bytes(20)
    )
    let tokens = parts.tokens
    // A repeat of the call has to show the ID token again and begins another session, so no response with tokens is
    // stored for it.
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let device = try DeviceStore.inUse(caller.device, transaction)
      let subject = identity.person
      try enter(identity, on: device, recovery: fresh.recovery, by: caller, transaction)
      let settings = try SettingsStore.settings(transaction)
      // Nobody gets this refresh token: the session ends with its access token.
      let refresh = tokens.refresh(for: fresh.session, random: fresh.random)
      let session = try Self.begin(
        refresh, of: subject, for: tokens.lifetimes.access,
        note: (["by \(identity.issuer)"] + identity.roles).joined(separator: ", "), by: caller, transaction)
      let roles = RoleText.union(try RoleStore.roles(of: subject.id, transaction), identity.roles)
      let made = tokens.person(session, roles: roles, refresh: nil, of: caller.tenant, at: transaction.now)
      return SignInWithIdentityResponse(
        session: session, tokens: made,
        uploadGrant: tokens.uploadGrant(
          session, roles: identity.roles, of: caller.tenant, at: transaction.now, lifetime: settings.uploadFor),
        autoLock: ProtobufDuration(settings.lockAfter),
        maySetPasscode: try identity.hasPasscodes
          && PlacementStore.verifier(of: subject, on: device.id, transaction) == nil)
    }
  }

  /// A person for whom a trusted issuer vouches.
  private struct Identity: Sendable {
    let issuer: String
    let person: Subject
    let createsPeople: Bool
    let roles: [String]
    let profile: ClaimedProfile
    /// Whether its people may set passcodes.
    let hasPasscodes: Bool
  }

  private func identity(_ request: SignInWithIdentityRequest, _ context: CallContext) async throws -> Identity {
    do {
      let token = try IdentityToken(request.idToken)
      let issuers = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
        try SettingsStore.settings(snapshot).identityIssuers
      }
      guard let issuer = issuers.first(where: { $0.issuer == token.issuer }) else { throw IdentityFault.issuer }
      guard let keys = await keys(of: issuer, for: token, context) else {
        throw Status(
          .unavailable, rule: "issuer_unreachable", field: "id_token",
          "the keys of '\(issuer.issuer)' cannot be had now, so id_token cannot be verified")
      }
      let claims = try token.claims(
        verifiedBy: keys, for: issuer.audiences, nonce: request.nonce, at: parts.clock.now)
      let name = claims.text(issuer.subjectClaim.isEmpty ? "sub" : issuer.subjectClaim) ?? ""
      guard !name.isEmpty, let person = Subject(issuer.subjectPrefix + name) else {
        throw IdentityFault.claims
      }
      let values = issuer.rolesClaim.isEmpty ? [] : Set(claims.texts(issuer.rolesClaim))
      let roles = Set(issuer.roles.filter { values.contains($0.value) }.map(\.role)).sorted()
      try RoleText.checkRoom(for: roles, field: "id_token")
      return Identity(
        issuer: issuer.issuer, person: person, createsPeople: issuer.createsPeople, roles: roles,
        profile: ClaimedProfile(claims, of: issuer), hasPasscodes: issuer.passcodes)
    } catch let fault as IdentityFault {
      throw Refusal(.unauthenticated, fault.rawValue, field: "id_token", fault.message)
    }
  }

  /// The issuer's keys; nil if they cannot be fetched. While the call waits for them, other calls may use its slot.
  private func keys(
    of issuer: IdentityIssuer, for token: IdentityToken, _ context: CallContext
  ) async -> IssuerKeySet? {
    context.slot.waits()
    defer { context.slot.resumes() }
    return await parts.issuers.keys(at: issuer.keyPlace, for: token)
  }

  /// Takes what the claims say into the profile, if it says something else.
  private func show(_ identity: Identity, by caller: Caller, _ transaction: Transaction) throws {
    let known = try PersonStore.profile(of: identity.person, transaction)
    var profile = identity.profile.applied(to: known)
    guard profile != known else { return }
    profile.revision += 1
    try PersonStore.save(profile, of: identity.person, transaction)
    try ChangeStore.note(.profile, identity.person.id, of: identity.person.id, transaction)
    try transaction.note(.profileChanged, by: caller.actor, person: identity.person.id)
  }

  /// Makes sure that the person has an account that is not locked and is on the device's list. Creates what is missing.
  private func enter(
    _ identity: Identity, on device: StoredDevice, recovery: [UInt8], by caller: Caller, _ transaction: Transaction
  ) throws {
    let id = identity.person.id
    try PersonStore.hold(id, transaction)
    if try PersonStore.person(id, transaction) == nil {
      guard identity.createsPeople else {
        throw Refusal(
          .precondition, "unknown_person", field: "id_token", "id_token: the person has no account in this tenant")
      }
      _ = try PersonStore.insert(id, recovery: Digest(of: recovery), transaction)
      try PersonStore.save(identity.profile.applied(to: PersonProfile(revision: 1)), of: identity.person, transaction)
      try ChangeStore.note(.profile, id, of: id, transaction)
    } else {
      try show(identity, by: caller, transaction)
    }
    guard try PersonStore.found(id, transaction).isActive else {
      throw Refusal(.precondition, "person_locked", field: "id_token", "id_token: this person is locked out")
    }
    if try PlacementStore.placement(of: id, on: device.id, transaction) != nil { return }
    try DeviceStore.requireRoom(on: device, transaction)
    _ = try PlacementStore.insert(id, on: device.id, transaction)
    try transaction.note(.personAdded, by: caller.actor, person: id, device: device.id)
  }
}
