internal import AccountContract
internal import Bus
internal import Storage

/// AccountService, over the bus.
struct BusAccounts: SubjectAccounts {
  private let channel: BusChannel

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    let caller = CallerIdentity(kind: .service, tenant: tenant.id, subject: "consent")
    do {
      _ = try await AccountAdminServiceClient(channel.acting(for: caller)).eraseAccount(
        EraseAccountRequest(personID: subjectID))
    } catch let status where status.code == .notFound {
      // The subject has no account: there is nothing to erase.
    }
  }
}
