internal import AccountContract
internal import Base
internal import OpenID
internal import RPC
internal import ServicePolicy
internal import Storage

/// A person for whom an OpenID provider vouches that the tenant trusts.
struct VouchedPerson: Sendable {
  let issuer: String
  let person: Subject
  let createsPeople: Bool
  /// Those that the claims give, for this session alone.
  let roles: [String]
  let profile: ClaimedProfile
  /// Whether its people may set passcodes.
  let hasPasscodes: Bool

  init(_ claims: IdentityClaims, of issuer: IdentityIssuer, field: String) throws {
    let name = claims.text(issuer.subjectClaim.isEmpty ? "sub" : issuer.subjectClaim) ?? ""
    guard !name.isEmpty, let person = Subject(issuer.subjectPrefix + name) else { throw IdentityFault.claims }
    let values = issuer.rolesClaim.isEmpty ? [] : Set(claims.texts(issuer.rolesClaim))
    roles = Set(issuer.roles.filter { values.contains($0.value) }.map(\.role)).sorted()
    try RoleText.checkRoom(for: roles, field: field)
    (self.issuer, self.person, createsPeople) = (issuer.issuer, person, issuer.createsPeople)
    (profile, hasPasscodes) = (ClaimedProfile(claims, of: issuer), issuer.passcodes)
  }
}

extension AccountParts {
  /// The person for whom an ID token vouches, of one of these issuers.
  ///
  /// - Parameters:
  ///   - earliest: a token that says that the person proved who they are before this is refused.
  ///   - field: the request's field that the token came by.
  func vouched(
    by text: String, of issuers: [IdentityIssuer], nonce: String, since earliest: Instant? = nil,
    field: String = "id_token", _ context: CallContext
  ) async throws -> VouchedPerson {
    do {
      let token = try IdentityToken(text)
      guard let issuer = issuers.first(where: { $0.issuer == token.issuer }) else { throw IdentityFault.issuer }
      guard let keys = await keys(of: issuer, for: token, context) else {
        throw Status(
          .unavailable, rule: "issuer_unreachable", field: field,
          "the keys of '\(issuer.issuer)' cannot be had now, so id_token cannot be verified")
      }
      let claims = try token.claims(verifiedBy: keys, for: issuer.audiences, nonce: nonce, at: clock.now)
      if let earliest, let at = claims.authenticatedAt, at + IdentityToken.toleratedSkew < earliest {
        throw IdentityFault.stale
      }
      return try VouchedPerson(claims, of: issuer, field: field)
    } catch let fault as IdentityFault {
      throw Refusal(.unauthenticated, fault.rawValue, field: field, fault.message)
    }
  }

  /// The issuer's keys; nil if they cannot be fetched. While the call waits for them, other calls may use its slot.
  private func keys(
    of issuer: IdentityIssuer, for token: IdentityToken, _ context: CallContext
  ) async -> IssuerKeySet? {
    context.slot.waits()
    defer { context.slot.resumes() }
    return await issuers.keys(at: issuer.keyPlace, for: token)
  }

  /// What a provider says about itself, if that is what the settings say about it.
  func metadata(of provider: PageProvider, _ context: CallContext) async throws -> IssuerMetadata {
    let name = provider.issuer.issuer
    context.slot.waits()
    defer { context.slot.resumes() }
    guard let metadata = await issuers.metadata(of: name) else {
      throw Status(
        .unavailable, rule: "issuer_unreachable", field: "issuer",
        "the discovery document of '\(name)' cannot be had now")
    }
    guard metadata.issuer == name else {
      throw Refusal(
        .precondition, "issuer_unusable", field: "issuer",
        "the discovery document of '\(name)' names another issuer: '\(metadata.issuer.shortened)'")
    }
    return metadata
  }

  func tokens(
    for grant: IssuerGrant, of provider: PageProvider, at metadata: IssuerMetadata, _ context: CallContext
  ) async throws -> IssuerTokens {
    context.slot.waits()
    defer { context.slot.resumes() }
    do throws(ExchangeFault) {
      return try await issuers.tokens(for: grant, from: metadata, as: provider.client)
    } catch {
      throw error.refusal(by: provider.issuer.issuer)
    }
  }
}
