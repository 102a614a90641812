internal import AccountContract
internal import Base
package import Bus
internal import Tokens
internal import Wire

/// Keeps a door's `TokenCredentials` up to date from AccountService's stream of revocations.
package struct RevocationFollower: Sendable {
  private let channel: BusChannel
  private let credentials: TokenCredentials
  /// Short, because no token is accepted meanwhile.
  private static let pause = Duration.milliseconds(200)
  private static let lifetime = Duration.seconds(3600)

  /// - Parameter channel: one whose callers are believed, such as a gateway's own.
  package init(_ channel: BusChannel, _ credentials: TokenCredentials) {
    self.channel = channel.acting(for: CallerIdentity(kind: .service, subject: "gateway"))
    self.credentials = credentials
  }

  /// Follows until the task is cancelled; when a stream ends, another one is begun, at any process that serves it.
  package func run() async {
    while !Task.isCancelled {
      do {
        let stream = try AccountAdminServiceClient(channel).watchRevocations(
          WatchRevocationsRequest(), deadline: Self.lifetime)
        for try await answer in stream {
          credentials.learn(jwks: answer.jwks, answer.revocations.compactMap(Self.revoked))
        }
      } catch {
        // Nobody serves it now: the credentials notice the silence by themselves.
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private static func revoked(
    _ revocation: Revocation
  ) -> (revoked: RevocationList.Revoked, tenant: String, before: Instant)? {
    guard let before = revocation.before?.clamped else { return nil }
    switch revocation.revoked {
    case .sessionID(let id): return (.session(id), revocation.tenant, before)
    case .personID(let id): return (.person(id), revocation.tenant, before)
    case .deviceID(let id): return (.device(id), revocation.tenant, before)
    case nil: return nil
    }
  }
}
