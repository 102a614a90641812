internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signing in people for whom an OpenID provider vouches that the tenant trusts.
extension SignInHandlers {
  func signInWithIdentity(
    _ request: SignInWithIdentityRequest, context: CallContext
  ) async throws -> SignInWithIdentityResponse {
    let issuers = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try SettingsStore.settings(snapshot).identityIssuers
    }
    let vouched = try await parts.vouched(by: request.idToken, of: issuers, nonce: request.nonce, context)
    return try await enter(vouched, as: parts.identifiers.next(), renewedBy: nil, field: "id_token", context)
  }

  /// Begins a session of a person for whom a provider vouches.
  ///
  /// - Parameters:
  ///   - sessionID: its name. Of a name there is one session, so what leads to one is good once.
  ///   - renewal: by which the session goes on; nil: it ends with its access token.
  ///   - field: the request's field that vouches for the person.
  func enter(
    _ vouched: VouchedPerson, as sessionID: String, renewedBy renewal: IdentityRenewal?, field: String,
    _ context: CallContext
  ) async throws -> SignInWithIdentityResponse {
    let fresh = (random: parts.randomness.bytes(32), recovery: parts.randomness.bytes(20))
    let tokens = parts.tokens
    // A repeat of the call has to vouch for the person again, so no response with tokens is stored for it.
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let device = try DeviceStore.inUse(caller.device, transaction)
      let subject = vouched.person
      try enter(vouched, on: device, recovery: fresh.recovery, by: caller, field: field, transaction)
      guard try SessionStore.session(sessionID, transaction) == nil else { throw Self.finished }
      let settings = try SettingsStore.settings(transaction)
      // Where nothing renews the session, nobody gets this refresh token.
      let refresh = tokens.refresh(for: sessionID, random: fresh.random)
      let session = try Self.begin(
        refresh, of: subject, for: tokens.lifetimes.access,
        note: (["by \(vouched.issuer)"] + vouched.roles).joined(separator: ", "), by: caller, transaction)
      if let renewal { try RenewalStore.put(renewal, of: subject, on: device.id, transaction) }
      let roles = RoleText.union(try RoleStore.roles(of: subject.id, transaction), vouched.roles)
      let made = tokens.person(
        session, roles: roles, refresh: renewal == nil ? nil : refresh, for: tokens.lifetimes.access,
        of: caller.tenant, at: transaction.now)
      return SignInWithIdentityResponse(
        session: session, tokens: made,
        uploadGrant: tokens.uploadGrant(
          session, roles: vouched.roles, of: caller.tenant, at: transaction.now, lifetime: settings.uploadFor),
        autoLock: ProtobufDuration(settings.lockAfter),
        maySetPasscode: try vouched.hasPasscodes
          && PlacementStore.verifier(of: subject, on: device.id, transaction) == nil)
    }
  }

  /// Takes what the claims say into the profile, if it says something else.
  private func show(_ vouched: VouchedPerson, by caller: Caller, _ transaction: Transaction) throws {
    let known = try PersonStore.profile(of: vouched.person, transaction)
    var profile = vouched.profile.applied(to: known)
    guard profile != known else { return }
    profile.revision += 1
    try PersonStore.save(profile, of: vouched.person, transaction)
    try ChangeStore.note(.profile, vouched.person.id, of: vouched.person.id, transaction)
    try transaction.note(.profileChanged, by: caller.actor, person: vouched.person.id)
  }

  /// Makes sure that the person has an account that is not locked and is on the device's list. Creates what is missing.
  private func enter(
    _ vouched: VouchedPerson, on device: StoredDevice, recovery: [UInt8], by caller: Caller, field: String,
    _ transaction: Transaction
  ) throws {
    let id = vouched.person.id
    try PersonStore.hold(id, transaction)
    if try PersonStore.person(id, transaction) == nil {
      guard vouched.createsPeople else {
        throw Refusal(
          .precondition, "unknown_person", field: field, "\(field): the person has no account in this tenant")
      }
      _ = try PersonStore.insert(id, recovery: Digest(of: recovery), transaction)
      try PersonStore.save(vouched.profile.applied(to: PersonProfile(revision: 1)), of: vouched.person, transaction)
      try ChangeStore.note(.profile, id, of: id, transaction)
    } else {
      try show(vouched, by: caller, transaction)
    }
    guard try PersonStore.found(id, transaction).isActive else {
      throw Refusal(.precondition, "person_locked", field: field, "\(field): this person is locked out")
    }
    if try PlacementStore.placement(of: id, on: device.id, transaction) != nil { return }
    try DeviceStore.requireRoom(on: device, transaction)
    _ = try PlacementStore.insert(id, on: device.id, transaction)
    try transaction.note(.personAdded, by: caller.actor, person: id, device: device.id)
  }
}
