package import Base
package import Outgoing
internal import Synchronization

/// Where an issuer's keys are.
package enum IssuerKeyPlace: Hashable, Sendable {
  /// In the tenant's settings: a JWK set.
  case set(String)
  case address(String)
}

/// Fetches issuers' keys and caches them. Each address gets at most one request at a time, and one in each `pause`.
///
/// If the key of a token is not cached, newer keys are fetched, so that an issuer may change its keys at any time. If
/// an address does not answer, its cached keys are still used, for as long as `trustedFor`.
package actor IssuerKeySource {
  private let client: OutgoingClient
  private let clock: Clock
  private var known: [String: Known] = [:]
  /// Parsed sets from tenants' settings.
  private var parsed = BoundedCache<String, IssuerKeySet>(mostBytes: 1 << 20)

  /// How long keys are used without being fetched again.
  package static let freshFor = Duration.seconds(3600)
  /// How long cached keys are used when the address does not answer.
  package static let trustedFor = Duration.seconds(24 * 3600)
  /// The least time between two requests to one address, so that tokens with invented keys do not cause a flood of
  /// them.
  package static let pause = Duration.seconds(30)
  private static let mostAddresses = 1024

  private struct Known {
    var keys: IssuerKeySet?
    var fetchedAt: MonotonicTime
    var askedAt: MonotonicTime
    var usedAt: MonotonicTime
    var fetching: Task<IssuerKeySet?, Never>?
  }

  package init(_ policy: OutgoingPolicy, clock: Clock) {
    client = OutgoingClient(policy, width: 8)
    self.clock = clock
  }

  /// The keys of an issuer, with the one that signed `token` if the issuer publishes it; nil when there are none.
  package func keys(at place: IssuerKeyPlace, for token: IdentityToken) async -> IssuerKeySet? {
    switch place {
    case .set(let jwks): return keys(in: jwks)
    case .address(let url): return await keys(from: url, for: token)
    }
  }

  private func keys(in jwks: String) -> IssuerKeySet? {
    if let keys = parsed.value(for: jwks) { return keys }
    guard let keys = IssuerKeySet(jwks: Array(jwks.utf8)) else { return nil }
    parsed.insert(keys, for: jwks, byteCount: 4 * jwks.utf8.count)
    return keys
  }

  private func keys(from url: String, for token: IdentityToken) async -> IssuerKeySet? {
    let now = clock.monotonic
    known[url]?.usedAt = now
    if let found = known[url], let keys = found.keys, now - found.fetchedAt < Self.freshFor,
      token.isSigned(withOneOf: keys)
    {
      return keys
    }
    if let fetching = known[url]?.fetching { return await fetching.value ?? trusted(url) }
    if let found = known[url], now - found.askedAt < Self.pause { return trusted(url) }
    if known[url] == nil, known.count >= Self.mostAddresses,
      let idle = known.filter({ $0.value.fetching == nil }).min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      known[idle.key] = nil
    }
    let client = client
    let fetching = Task { await Self.fetch(url, by: client) }
    var entry = known[url] ?? Known(fetchedAt: now, askedAt: now, usedAt: now)
    entry.askedAt = now
    entry.fetching = fetching
    known[url] = entry
    let keys = await fetching.value
    known[url]?.fetching = nil
    if let keys {
      known[url]?.keys = keys
      known[url]?.fetchedAt = clock.monotonic
    }
    return keys ?? trusted(url)
  }

  private func trusted(_ url: String) -> IssuerKeySet? {
    guard let found = known[url], clock.monotonic - found.fetchedAt < Self.trustedFor else { return nil }
    return found.keys
  }

  private static func fetch(_ url: String, by client: OutgoingClient) async -> IssuerKeySet? {
    var request = OutgoingRequest("GET", url, headers: [("accept", "application/json")])
    request.timeout = .seconds(5)
    request.mostBytes = 256 << 10
    guard let answer = try? await client.send(request), answer.status == 200 else { return nil }
    return IssuerKeySet(jwks: answer.body)
  }
}
