internal import AccountContract
internal import Bus
internal import RPC
internal import ServicePolicy
internal import Storage

/// AccountService, over the bus.
struct BusAccounts: SubjectAccounts {
  /// A look at one person's roles takes milliseconds. Somebody may wait for the answer.
  private static let patience = Duration.seconds(5)

  private let channel: BusChannel

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    _ = try await client(in: tenant).eraseAccount(EraseAccountRequest(personID: subjectID))
  }

  func hasRoles(_ subjectID: String, tenant: Tenant) async throws -> Bool {
    let question = EraseAccountRequest(personID: subjectID, checkRolesOnly: true)
    do {
      _ = try await client(in: tenant).eraseAccount(question, deadline: Self.patience)
      return false
    } catch let status where status.isRefusal(by: EraseJob.rolesRule) {
      return true
    } catch let status where status.code == .unimplemented {
      // An installation without AccountService has no roles that could be looked up.
      return false
    }
  }

  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws {
    do {
      _ = try await client(in: tenant).holdAccount(
        HoldAccountRequest(personID: subjectID, held: isHeld, reason: HoldJob.reason))
    } catch let status where status.isRefusal(by: "subject_erased") {
      // There is nothing left to hold.
    }
  }

  private func client(in tenant: Tenant) -> AccountAdminServiceClient {
    let caller = CallerIdentity(kind: .service, tenant: tenant.id, subject: "consent")
    return AccountAdminServiceClient(channel.acting(for: caller))
  }
}
