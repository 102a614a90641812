import Authorities
import Base
import Documents
import Outgoing
import Sealing
import TestSupport
import Testing

/// Authorities on this machine, whose answers openssl makes.
struct RunningAuthorities {
  private let server: AuthorityServer
  let root: Certificate

  init() async throws {
    server = try await AuthorityServer.start()
    root = try #require(Certificate.list(pem: try server.file("root.pem")).first)
  }

  func key(_ name: String) throws -> SealKey { try SealKey(pem: try server.file("\(name).pem")) }

  /// This machine is allowed besides the public addresses.
  static let local = [NetworkAddress(text: "127.0.0.1").flatMap { NetworkRange($0, bits: 32) }].compactMap(\.self)

  func client(allowing allowed: [NetworkRange] = local, timeout: Duration = .seconds(10)) -> AuthorityClient {
    AuthorityClient(allowing: allowed, timeout: timeout)
  }

  func sealer(_ name: String = "seal", at path: String = "/tsa", _ client: AuthorityClient? = nil) throws -> Sealer {
    Sealer(
      key: try key(name), stamper: HTTPTimeStamper(server.address + path, client ?? self.client()),
      nonce: { Randomness.system.bytes(16) })
  }

  /// What the server was asked.
  var requests: [String] { server.requests }

  /// The list of revocations, in DER.
  func list() throws -> [UInt8] { try server.file("list.crl") }

  /// A responder's answer, whatever it says.
  func ask(_ question: RevocationQuestion) async throws -> [UInt8] {
    let url = try #require(question.responders.first)
    let client = OutgoingClient(OutgoingPolicy(.publicAddresses(and: Self.local), allowsPlainText: true))
    let request = OutgoingRequest(
      "POST", url, headers: [("Content-Type", "application/ocsp-request")], body: question.request)
    return try await client.send(request).body
  }

  func verify(_ pdf: [UInt8]) -> DocumentReport {
    DocumentVerifier(trusting: Trust(roots: [root]), at: Clock.system.now).verify(pdf)
  }

  static let document: [UInt8] = {
    let paper = ConsentPaper(
      title: "Consent", language: "en", size: .a4, sections: [.init(heading: "One", markup: "<p>words to sign</p>")],
      signaturePage: SignaturePage(title: "Signatures", blocks: [SignatureBlock(title: "Participant")]),
      created: Instant(millisecondsSince1970: 1_790_000_000_000))
    do {
      return try PaperComposer().compose(paper)
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}
