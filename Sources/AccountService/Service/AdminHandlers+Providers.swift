internal import AccountContract
internal import Base
internal import OpenID
internal import RPC
internal import ServicePolicy
internal import Storage

/// A tenant's OpenID providers: the secrets of its clients there, and whether people can sign in by them.
extension AdminHandlers {
  func setIdentitySecret(
    _ request: SetIdentitySecretRequest, context: CallContext
  ) async throws -> SetIdentitySecretResponse {
    let secret = request.clientSecret
    guard (1...500).contains(secret.utf8.count), secret.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Refusal(
        .invalid, "bad_secret", field: "client_secret", "client_secret must have 1 to 500 characters of ASCII")
    }
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      try SettingsStore.lock(.accounts, transaction)
      guard let client = try Self.issuer(request.issuer, transaction).client else {
        throw Refusal.notFound("identity issuer", request.issuer, field: "issuer")
      }
      guard client.proof != .none else {
        throw Refusal(
          .precondition, "no_secret_needed", field: "issuer",
          "the client '\(client.clientID)' proves itself by nothing, as settings say")
      }
      try ClientSecretStore.put(secret, of: client, at: request.issuer, transaction)
      try transaction.note(.settingsChanged, by: caller.actor, note: "secret of a provider's client")
      return SetIdentitySecretResponse()
    }
  }

  func tryIdentityIssuer(
    _ request: TryIdentityIssuerRequest, context: CallContext
  ) async throws -> TryIdentityIssuerResponse {
    let (issuer, secret) = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      let issuer = try Self.issuer(request.issuer, snapshot)
      return (issuer, try Self.secretFinding(issuer, snapshot))
    }
    context.slot.waits()
    defer { context.slot.resumes() }
    var findings = [await keysFinding(issuer)]
    if issuer.client != nil { findings += await discoveryFindings(issuer) }
    return TryIdentityIssuerResponse(findings: findings + secret)
  }

  private static func issuer(_ name: String, _ snapshot: Snapshot) throws -> IdentityIssuer {
    guard let issuer = try SettingsStore.settings(snapshot).identityIssuers.first(where: { $0.issuer == name }) else {
      throw Refusal.notFound("identity issuer", name, field: "issuer")
    }
    return issuer
  }

  private func keysFinding(_ issuer: IdentityIssuer) async -> IdentityFinding {
    let place =
      switch issuer.keyPlace {
      case .set: "the settings"
      case .address(let url): url
      }
    do throws(PublishedFault) {
      let count = try await parts.issuers.keyCount(at: issuer.keyPlace)
      return IdentityFinding(check: .keys, right: count > 0, message: "keys for signatures at \(place): \(count)")
    } catch {
      return IdentityFinding(check: .keys, message: error.sentence(about: place, meant: "JWK set"))
    }
  }

  private func discoveryFindings(_ issuer: IdentityIssuer) async -> [IdentityFinding] {
    let name = issuer.issuer
    do throws(PublishedFault) {
      let metadata = try await parts.issuers.publishedMetadata(of: name)
      guard metadata.issuer == name else {
        let message = "the discovery document names '\(metadata.issuer.shortened)', and the settings '\(name)'"
        return [IdentityFinding(check: .discovery, message: message)]
      }
      let found = IdentityFinding(
        check: .discovery, right: true,
        message: "people sign in at \(metadata.authorizationEndpoint.shortened(to: 200)), and codes are exchanged at "
          + metadata.tokenEndpoint.shortened(to: 200))
      guard case .address(let address) = issuer.keyPlace, !metadata.keysAddress.isEmpty else { return [found] }
      let isSame = address == metadata.keysAddress
      let message =
        isSame
        ? "the keys are where the discovery document says"
        : "the discovery document says that the keys are at '\(metadata.keysAddress.shortened)'"
      return [found, IdentityFinding(check: .keysAddress, right: isSame, message: message)]
    } catch {
      return [
        IdentityFinding(
          check: .discovery,
          message: error.sentence(about: IssuerMetadata.address(of: name), meant: "discovery document with https"))
      ]
    }
  }

  private static func secretFinding(_ issuer: IdentityIssuer, _ snapshot: Snapshot) throws -> [IdentityFinding] {
    guard let client = issuer.client else { return [] }
    if client.proof == .none {
      return [IdentityFinding(check: .secret, right: true, message: "the client proves itself by nothing")]
    }
    let isThere = try ClientSecretStore.secret(of: client, at: issuer.issuer, snapshot) != nil
    let message = isThere ? "the client has a secret" : "the client has no secret; SetIdentitySecret sets it"
    return [IdentityFinding(check: .secret, right: isThere, message: message)]
  }
}

extension PublishedFault {
  fileprivate func sentence(about place: String, meant: String) -> String {
    switch self {
    case .unreachable(let why): "\(place): \(why)"
    case .status(let status): "\(place) answers with status \(status)"
    case .unreadable: "\(place) answers with no \(meant)"
    }
  }
}
