package import ConsentContract
package import RPC
package import Storage

/// The calls to other services that sync makes.
package protocol SyncPeers: Sendable {
  /// Makes a call on behalf of `caller`; returns the answer in binary.
  ///
  /// - Parameter metadata: what the service has to know about a call that was queued.
  func perform(
    _ method: MethodDescriptor, _ request: [UInt8], as caller: CallerIdentity, key: String, _ metadata: Metadata
  ) async throws(Status) -> [UInt8]
  /// The events of consent after a token, and the token to read on with.
  func consentEvents(after token: String, of tenant: Tenant) async throws -> (events: [ConsentEvent], next: String)
  /// The fields that were changed by events of signatures after a token, and the token to read on with.
  func fieldChanges(after token: String, of tenant: Tenant) async throws -> (fields: [ChangedField], next: String)
}

/// A field that changed, and whose signature it is for.
package struct ChangedField: Hashable, Sendable {
  package let fieldID: String
  package let subjectID: String
  /// Whether its personal data are erased, so that it is shown to nobody any more.
  package let isErased: Bool

  package init(fieldID: String, subjectID: String, isErased: Bool = false) {
    self.fieldID = fieldID
    self.subjectID = subjectID
    self.isErased = isErased
  }
}
