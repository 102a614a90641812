package import Bus
internal import CommonContract
package import ConsentContract
package import RPC
internal import SignatureContract
package import Storage

/// Makes the calls of sync to other services, over the bus.
package struct BusSyncPeers: SyncPeers {
  private let channel: BusChannel

  package init(_ channel: BusChannel) {
    self.channel = channel
  }

  package func perform(
    _ method: MethodDescriptor, _ request: [UInt8], as caller: CallerIdentity, key: String, _ metadata: Metadata
  ) async throws(Status) -> [UInt8] {
    let channel = channel.acting(for: caller)
    let options = CallOptions(metadata: metadata, idempotencyKey: key.isEmpty ? .automatic : .given(key))
    guard method.kind.clientStreams else { return try await channel.unary(method, request, options: options).message }
    // A queued item is one message, so it is the only one of the stream.
    let call = channel.begin(method, request: nil, options: options)
    try await call.send(request)
    call.finishSending()
    let answer = try await call.next() ?? []
    while try await call.next() != nil {}
    return answer
  }

  package func consentEvents(
    after token: String, of tenant: Tenant
  ) async throws -> (events: [ConsentEvent], next: String) {
    let caller = CallerIdentity(kind: .service, tenant: tenant.id, subject: "account")
    let answer = try await RecordServiceClient(channel.acting(for: caller)).listEvents(
      ListEventsRequest(pageSize: 500, pageToken: token))
    return (answer.events, answer.nextPageToken)
  }

  package func fieldChanges(
    after token: String, of tenant: Tenant
  ) async throws -> (fields: [ChangedField], next: String) {
    let caller = CallerIdentity(kind: .service, tenant: tenant.id, subject: "account")
    let answer = try await SignatureServiceClient(channel.acting(for: caller)).listSignatureTrail(
      ListSignatureTrailRequest(pageToken: token, pageSize: 500, allStudies: true, changesOnly: true))
    let fields = answer.entries.compactMap { entry -> ChangedField? in
      guard entry.item.hasPrefix(Self.fieldPrefix), !entry.subjectID.isEmpty else { return nil }
      return ChangedField(
        fieldID: String(entry.item.dropFirst(Self.fieldPrefix.count)), subjectID: entry.subjectID,
        isErased: entry.purpose == Self.erasure)
    }
    return (fields, answer.nextPageToken)
  }

  private static let fieldPrefix = "field/"
  /// SignatureService's name for the erasure of a field, in the purpose of an entry of its trail.
  private static let erasure = "field.erased"
}
