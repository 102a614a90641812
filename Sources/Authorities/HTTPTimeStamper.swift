public import Sealing

/// A time-stamping authority that answers over HTTP: RFC 3161, 3.4. The caller has to verify its answer.
public struct HTTPTimeStamper: TimeStamper {
  private let url: String
  private let client: AuthorityClient

  /// A token has a few kilobytes, most of them certificates.
  private static let mostBytes = 64 << 10

  public init(_ url: String, _ client: AuthorityClient) {
    self.url = url
    self.client = client
  }

  public func answer(to request: [UInt8]) async throws -> [UInt8] {
    do {
      return try await client.post(
        request, as: "application/timestamp-query", to: url, expecting: "application/timestamp-reply",
        atMost: Self.mostBytes)
    } catch {
      // The error does not name the address, which may have a password in it.
      throw AuthorityError("the time-stamping authority cannot be used: \(error)")
    }
  }
}
