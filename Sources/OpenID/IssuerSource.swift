package import Base
package import Outgoing

/// Where an issuer's keys are.
package enum IssuerKeyPlace: Hashable, Sendable {
  /// In the tenant's settings: a JWK set.
  case set(String)
  case address(String)
}

/// What issuers are asked: for their keys, for what they say about themselves, and for ID tokens.
package actor IssuerSource {
  private let sets: PublishedDocuments<IssuerKeySet>
  private let documents: PublishedDocuments<IssuerMetadata>
  private let exchange: TokenExchange
  /// Parsed sets from tenants' settings.
  private var parsed = BoundedCache<String, IssuerKeySet>(mostBytes: 1 << 20)

  /// How long what was fetched is used without being fetched again.
  package static let freshFor = Duration.seconds(3600)
  /// How long what was fetched is used when the address does not answer.
  package static let trustedFor = Duration.seconds(24 * 3600)
  /// The least time between two requests to one address, so that tokens with invented keys do not cause a flood of
  /// them.
  package static let pause = Duration.seconds(30)

  /// - Parameter patience: for how long an exchange for an ID token is waited for.
  package init(_ policy: OutgoingPolicy, clock: Clock, patience: Duration = .seconds(10)) {
    let client = OutgoingClient(policy, width: 8)
    sets = PublishedDocuments(client, clock: clock) { IssuerKeySet(jwks: $0) }
    documents = PublishedDocuments(client, clock: clock) { IssuerMetadata($0) }
    exchange = TokenExchange(policy, patience: patience)
  }

  /// The keys of an issuer, with the one that signed `token` if the issuer publishes it; nil when there are none.
  package func keys(at place: IssuerKeyPlace, for token: IdentityToken) async -> IssuerKeySet? {
    switch place {
    case .set(let jwks): keys(in: jwks)
    case .address(let url): await sets.document(at: url) { token.isSigned(withOneOf: $0) }
    }
  }

  private func keys(in jwks: String) -> IssuerKeySet? {
    if let keys = parsed.value(for: jwks) { return keys }
    guard let keys = IssuerKeySet(jwks: Array(jwks.utf8)) else { return nil }
    parsed.insert(keys, for: jwks, byteCount: 4 * jwks.utf8.count)
    return keys
  }

  /// What an issuer says about itself; nil when it says nothing that can be read.
  package nonisolated func metadata(of issuer: String) async -> IssuerMetadata? {
    await documents.document(at: IssuerMetadata.address(of: issuer))
  }

  /// An ID token in exchange for a grant of the issuer's own.
  package nonisolated func tokens(
    for grant: IssuerGrant, from metadata: IssuerMetadata, as client: IssuerClient
  ) async throws(ExchangeFault) -> IssuerTokens {
    try await exchange.tokens(for: grant, at: metadata.tokenEndpoint, as: client)
  }

  // MARK: Trying

  /// What the issuer publishes about itself now.
  package nonisolated func publishedMetadata(of issuer: String) async throws(PublishedFault) -> IssuerMetadata {
    try await documents.fetched(from: IssuerMetadata.address(of: issuer))
  }

  /// How many keys are at a place now.
  package nonisolated func keyCount(at place: IssuerKeyPlace) async throws(PublishedFault) -> Int {
    switch place {
    case .address(let url): return try await sets.fetched(from: url).keys.count
    case .set(let jwks):
      guard let keys = IssuerKeySet(jwks: Array(jwks.utf8)) else { throw .unreadable }
      return keys.keys.count
    }
  }
}
