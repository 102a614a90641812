internal import AccountContract
internal import OpenID
internal import Refusals

/// Checks what a tenant's settings say about the OpenID providers that the tenant trusts.
enum IssuerRules {
  private static let most = 8
  private static let mostAudiences = 32
  private static let mostRoles = 200
  private static let mostScopes = 20

  static func check(_ settings: AccountSettings) throws(Refusal) {
    let (issuers, place) = (settings.identityIssuers, "settings.identity_issuers")
    try checkCount(issuers.count, atMost: most, place)
    for (index, issuer) in issuers.enumerated() {
      let field = "\(place)[\(index)]"
      try check(issuer, field)
      if issuer.createsPeople, !settings.onboardingFlowID.isEmpty {
        let message =
          "\(field).creates_people would list people who have not walked the flow '\(settings.onboardingFlowID)'"
        throw Refusal(.invalid, "consent_needed", field: "\(field).creates_people", message)
      }
      for other in issuers[..<index] {
        guard other.issuer != issuer.issuer else {
          throw Refusal(.invalid, "twice", field: "\(field).issuer", "\(field).issuer names '\(issuer.issuer)' twice")
        }
        if other.subjectPrefix.hasPrefix(issuer.subjectPrefix) || issuer.subjectPrefix.hasPrefix(other.subjectPrefix) {
          let message =
            "\(field).subject_prefix is '\(issuer.subjectPrefix)', and another issuer's '\(other.subjectPrefix)'; "
            + "neither may begin with the other, or one issuer could speak for the other's people"
          throw Refusal(.invalid, "prefixes_overlap", field: "\(field).subject_prefix", message)
        }
      }
    }
  }

  private static func check(_ issuer: IdentityIssuer, _ field: String) throws(Refusal) {
    try checkAddress(issuer.issuer, "\(field).issuer")
    try checkCount(issuer.audiences.count, atMost: mostAudiences, "\(field).audiences")
    if let client = issuer.client {
      try check(client, "\(field).client")
    } else if issuer.audiences.isEmpty {
      let message = "\(field).audiences is empty; name the client identifier of each app"
      throw Refusal(.invalid, "missing", field: "\(field).audiences", message)
    }
    for (index, audience) in issuer.audiences.enumerated() {
      try ProfileRules.checkText(audience, atMost: 200, "\(field).audiences[\(index)]", isRequired: true)
    }
    switch issuer.keys {
    case .jwks(let text):
      guard let set = IssuerKeySet(jwks: Array(text.utf8)), !set.isEmpty else {
        let message =
          "\(field).jwks is no JWK set with a key for signatures: RSA of 2048 to 8192 bits, P-256 or Ed25519"
        throw Refusal(.invalid, "bad_keys", field: "\(field).jwks", message)
      }
    case .jwksURL(let url): try checkAddress(url, "\(field).jwks_url")
    case nil:
      let message = "\(field).keys is missing: jwks or jwks_url"
      throw Refusal(.invalid, "missing", field: "\(field).keys", message)
    }
    try ProfileRules.checkText(issuer.subjectClaim, atMost: 100, "\(field).subject_claim")
    try ProfileRules.checkText(issuer.rolesClaim, atMost: 100, "\(field).roles_claim")
    try ProfileRules.checkText(issuer.title, atMost: 60, "\(field).title")
    try ProfileRules.checkText(issuer.nameClaim, atMost: 100, "\(field).name_claim")
    try ProfileRules.checkText(issuer.subtitleClaim, atMost: 100, "\(field).subtitle_claim")
    try ProfileRules.checkText(issuer.pictureClaim, atMost: 100, "\(field).picture_claim")
    let prefix = issuer.subjectPrefix.utf8
    guard (2...40).contains(prefix.count), prefix.last == UInt8(ascii: ":"), prefix.allSatisfy(isNamePart) else {
      let message =
        "\(field).subject_prefix must be at most 40 letters, digits, '.', '-', ':' or '_', and end with ':', which "
        + "no identifier of a person with a passcode has"
      throw Refusal(.invalid, "bad_name", field: "\(field).subject_prefix", message)
    }
    try ReservedPrefix.check(issuer.subjectPrefix, field: "\(field).subject_prefix")
    try checkCount(issuer.roles.count, atMost: mostRoles, "\(field).roles")
    for (index, role) in issuer.roles.enumerated() {
      try ProfileRules.checkText(role.value, atMost: 200, "\(field).roles[\(index)].value", isRequired: true)
      _ = try RoleText(role.role)
    }
  }

  private static func check(_ client: IdentityClient, _ field: String) throws(Refusal) {
    try ProfileRules.checkText(client.clientID, atMost: 200, "\(field).client_id", isRequired: true)
    if case .unrecognized(let number) = client.proof {
      throw Refusal(.invalid, "unknown_value", field: "\(field).proof", "\(field).proof is \(number), which is none")
    }
    try checkCount(client.scopes.count, atMost: mostScopes, "\(field).scopes")
    for (index, scope) in client.scopes.enumerated() {
      let isScope = (1...100).contains(scope.utf8.count) && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      guard !isScope else { continue }
      let message = "\(field).scopes[\(index)] must be one word of 1 to 100 characters, such as 'email'"
      throw Refusal(.invalid, "bad_scope", field: "\(field).scopes[\(index)]", message)
    }
  }

  /// Whether a byte may be in a prefix: the same bytes may be in the identifier of a subject.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: Array(".-:_".utf8).contains(byte)
    }
  }

  private static func checkCount(_ count: Int, atMost most: Int, _ field: String) throws(Refusal) {
    guard count > most else { return }
    throw Refusal(.invalid, "too_many", field: field, "\(field) has \(count) entries; at most \(most) are allowed")
  }

  private static func checkAddress(_ text: String, _ field: String) throws(Refusal) {
    let isAddress =
      text.hasPrefix("https://") && text.utf8.count <= 500 && text.utf8.count > 8
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard !isAddress else { return }
    throw Refusal(.invalid, "bad_address", field: field, "\(field) must be an https address of at most 500 characters")
  }
}

extension IdentityIssuer {
  /// How people know the provider: by its title, or else by the host of its address.
  var shownTitle: String {
    guard title.isEmpty else { return title }
    return String(issuer.dropFirst("https://".count).prefix { $0 != "/" && $0 != ":" })
  }

  var keyPlace: IssuerKeyPlace {
    switch keys {
    case .jwks(let text): .set(text)
    case .jwksURL(let url): .address(url)
    case nil: .set("")
    }
  }
}
