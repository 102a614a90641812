internal import AccountContract
internal import Bus
internal import RPC
internal import SignatureContract
internal import Storage

/// The logs of the other services, over the bus.
struct BusFollowedLogs: FollowedLogs {
  /// A page is read within milliseconds.
  private static let patience = Duration.seconds(5)
  private static let pageSize: Int32 = 500

  private let channel: BusChannel

  init(_ channel: BusChannel) {
    self.channel = channel
  }

  func changes(in service: FollowedService, after token: String, tenant: Tenant) async throws -> FollowedPage? {
    let channel = channel.acting(for: .consent(tenant))
    do {
      return switch service {
      case .account: try await Self.accountChanges(after: token, channel)
      case .signature: try await Self.signatureChanges(after: token, channel)
      }
    } catch let status as Status where status.code == .unimplemented {
      return nil
    }
  }

  private static func accountChanges(after token: String, _ channel: BusChannel) async throws -> FollowedPage {
    let request = ListAccountEventsRequest(pageSize: pageSize, pageToken: token, changesOnly: true)
    let answer = try await AccountAdminServiceClient(channel).listAccountEvents(request, deadline: patience)
    return FollowedPage(answer.events.map { .account($0) }, next: answer.nextPageToken)
  }

  private static func signatureChanges(after token: String, _ channel: BusChannel) async throws -> FollowedPage {
    let request = ListSignatureTrailRequest(
      pageToken: token, pageSize: pageSize, allStudies: true, changesOnly: true)
    let answer = try await SignatureServiceClient(channel).listSignatureTrail(request, deadline: patience)
    return FollowedPage(answer.entries.map { .signature($0) }, next: answer.nextPageToken)
  }
}
