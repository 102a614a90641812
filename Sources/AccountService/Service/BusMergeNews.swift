package import Bus
internal import ConsentContract
internal import RPC
internal import SignatureContract
package import Storage

/// Tells the other services of merged accounts over the bus.
package struct BusMergeNews: MergeNews {
  private let channel: BusChannel

  package init(_ channel: BusChannel) {
    self.channel = channel
  }

  package func tellConsent(_ ended: String, into staying: String, tenant: Tenant) async throws {
    let request = NoteMergedSubjectRequest(endedID: ended, stayingID: staying)
    _ = try await RecordServiceClient(acting(in: tenant)).noteMergedSubject(request)
  }

  package func tellSignatures(_ ended: String, into staying: String, tenant: Tenant) async throws {
    let request = NoteMergedSignerRequest(endedID: ended, stayingID: staying)
    _ = try await SignatureServiceClient(acting(in: tenant)).noteMergedSigner(request)
  }

  private func acting(in tenant: Tenant) -> BusChannel {
    channel.acting(for: CallerIdentity(kind: .service, tenant: tenant.id, subject: "account"))
  }
}
