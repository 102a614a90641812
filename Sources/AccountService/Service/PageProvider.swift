internal import AccountContract
internal import OpenID
internal import Refusals
internal import Storage

/// A provider by which the gateway's pages sign people in, and the client that it knows these pages by.
struct PageProvider: Sendable {
  /// As tokens for this client are verified: they name no other one.
  let issuer: IdentityIssuer
  let client: IssuerClient
  /// What is asked for.
  let scope: String

  init(_ name: String, _ snapshot: Snapshot) throws {
    guard var issuer = try SettingsStore.settings(snapshot).identityIssuers.first(where: { $0.issuer == name }),
      let client = issuer.client
    else { throw Refusal.notFound("identity issuer", name, field: "issuer") }
    issuer.audiences = [client.clientID]
    self.issuer = issuer
    self.client = try IssuerClient(id: client.clientID, proof: Self.proof(of: client, at: name, snapshot))
    scope = (["openid"] + (client.scopes.isEmpty ? ["profile"] : client.scopes)).joined(separator: " ")
  }

  private static func proof(
    of client: IdentityClient, at issuer: String, _ snapshot: Snapshot
  ) throws -> IssuerClient.Proof {
    if client.proof == .none { return .nothing }
    guard let secret = try ClientSecretStore.secret(of: client, at: issuer, snapshot) else {
      throw Refusal(
        .precondition, "client_secret_missing", field: "issuer",
        "the client '\(client.clientID)' has no secret; SetIdentitySecret sets it")
    }
    return client.proof == .post ? .field(secret) : .header(secret)
  }
}

extension ExchangeFault {
  /// The error of a call for which an issuer gave no ID token.
  func refusal(by issuer: String) -> Refusal {
    switch self {
    case .unreachable:
      // Not UNAVAILABLE, for which gateways would ask again: the issuer may have taken the grant, which is good once.
      Refusal(
        .precondition, "issuer_unreachable", field: "issuer", "'\(issuer)' has not answered in time; begin again later")
    case .busy:
      Refusal(
        .exhausted, "issuer_busy", field: "issuer", "too many people sign in by '\(issuer)' at once; begin again later")
    case .grant:
      Refusal(.unauthenticated, "code_refused", field: "code", "'\(issuer)' gives nothing for this code; begin again")
    case .client:
      Refusal(
        .precondition, "client_refused", field: "issuer",
        "'\(issuer)' does not take the client for what it is: its identifier, its secret or its proof is another one")
    case .answer:
      Refusal(.precondition, "issuer_unusable", field: "issuer", "'\(issuer)' answers with no ID token")
    }
  }
}
