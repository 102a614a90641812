package import Bus
package import ConsentContract
package import Storage

/// The calls to other services that sync makes.
package protocol SyncPeers: Sendable {
  /// Makes a call on behalf of `caller`; returns the answer in binary.
  func perform(
    _ method: MethodDescriptor, _ request: [UInt8], as caller: CallerIdentity, key: String
  ) async throws(Status) -> [UInt8]
  /// The events of consent after a token, and the token for those that follow.
  func consentEvents(after token: String, of tenant: Tenant) async throws -> (events: [ConsentEvent], next: String)
}
