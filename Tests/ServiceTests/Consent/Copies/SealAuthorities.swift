import Authorities
import Base
import Outgoing
import Sealing
import Synchronization
import TestSupport
import Testing

/// A seal whose certificate others vouch for: time stamps and revocations by openssl, over HTTP.
final class SealAuthorities: Sendable {
  private let server: AuthorityServer
  let root: Certificate
  private let isOpen = Mutex(true)

  init() async throws {
    server = try await AuthorityServer.start()
    root = try #require(Certificate.list(pem: try server.file("root.pem")).first)
  }

  private var client: AuthorityClient {
    let local = [NetworkAddress(text: "127.0.0.1").flatMap { NetworkRange($0, bits: 32) }].compactMap(\.self)
    return AuthorityClient(allowing: isOpen.withLock { $0 } ? local : [])
  }

  func sealer() throws -> Sealer {
    Sealer(
      key: try SealKey(pem: try server.file("seal.pem")),
      stamper: HTTPTimeStamper("\(server.address)/tsa", client), nonce: { Randomness.system.bytes(16) })
  }

  /// Whether those who publish revocations can be reached.
  func setOpen(_ open: Bool) { isOpen.withLock { $0 = open } }

  var collector: ProofCollector { ProofCollector(client, knowing: [root]) }
}
