internal import Base
internal import Outgoing

/// Documents that issuers publish, fetched when they are needed and cached. Each address gets at most one request at a
/// time, and one in each `pause`.
///
/// If a cached document is not good enough, it is fetched anew, so that an issuer may change it at any time. If an
/// address does not answer, its cached document is still used, for as long as `trustedFor`.
actor PublishedDocuments<Document: Sendable> {
  private let client: OutgoingClient
  private let clock: Clock
  private let read: @Sendable ([UInt8]) -> Document?
  private var known: [String: Known] = [:]
  private let mostAddresses = 1024

  private struct Known {
    var document: Document?
    var fetchedAt: MonotonicTime
    var askedAt: MonotonicTime
    var usedAt: MonotonicTime
    var fetching: Task<Document?, Never>?
  }

  init(_ client: OutgoingClient, clock: Clock, read: @escaping @Sendable ([UInt8]) -> Document?) {
    self.client = client
    self.clock = clock
    self.read = read
  }

  /// The document at an address; nil when there is none.
  ///
  /// - Parameter isGood: whether a cached one will do.
  func document(at url: String, ifGood isGood: @Sendable (Document) -> Bool = { _ in true }) async -> Document? {
    let now = clock.monotonic
    known[url]?.usedAt = now
    if let found = known[url], let document = found.document, now - found.fetchedAt < IssuerSource.freshFor,
      isGood(document)
    {
      return document
    }
    if let fetching = known[url]?.fetching { return await fetching.value ?? trusted(url) }
    if let found = known[url], now - found.askedAt < IssuerSource.pause { return trusted(url) }
    if known[url] == nil, known.count >= mostAddresses,
      let idle = known.filter({ $0.value.fetching == nil }).min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      known[idle.key] = nil
    }
    let fetching = Task { try? await fetched(from: url) }
    var entry = known[url] ?? Known(fetchedAt: now, askedAt: now, usedAt: now)
    entry.askedAt = now
    entry.fetching = fetching
    known[url] = entry
    let document = await fetching.value
    known[url]?.fetching = nil
    if let document {
      known[url]?.document = document
      known[url]?.fetchedAt = clock.monotonic
    }
    return document ?? trusted(url)
  }

  private func trusted(_ url: String) -> Document? {
    guard let found = known[url], clock.monotonic - found.fetchedAt < IssuerSource.trustedFor else { return nil }
    return found.document
  }

  /// The document as it is now, whatever is cached.
  nonisolated func fetched(from url: String) async throws(PublishedFault) -> Document {
    var request = OutgoingRequest("GET", url, headers: [("accept", "application/json")])
    request.timeout = .seconds(5)
    request.mostBytes = 256 << 10
    let answer: OutgoingAnswer
    do throws(OutgoingError) {
      answer = try await client.send(request)
    } catch {
      throw .unreachable(error.description)
    }
    guard answer.status == 200 else { throw .status(answer.status) }
    guard let document = read(answer.body) else { throw .unreadable }
    return document
  }
}

/// Why there is no document at an address.
package enum PublishedFault: Error, Hashable, Sendable {
  case unreachable(String)
  case status(Int)
  case unreadable
}
