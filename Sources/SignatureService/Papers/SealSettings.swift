internal import Authorities
internal import Base
internal import Sealing
internal import ServiceKit

/// The key that seals documents, and whom checks of documents trust.
struct SealSettings: SettingGroup {
  let keyFile = Setting<String?>(
    "seal-key-file", default: nil, shown: "FILE",
    "the key that seals documents with its certificates, PEM or PKCS#12; a process without one seals nothing")
  let passphrase = Setting<Secret?>("seal-passphrase", default: nil, "what opens the seal's key")
  let certificatesFile = Setting<String?>(
    "seal-certificates-file", default: nil, shown: "FILE",
    "the certificates of the seal's key in PEM, its own first, where its file has none")
  let timeAuthority = Setting<String?>(
    "seal-time-authority", default: nil, shown: "URL",
    "the authority that attests when documents were sealed (RFC 3161 over HTTP); none: seals are B-B")
  let timeAllow = Setting(
    "seal-time-allow", default: [NetworkSetting](),
    "private networks that the time authority, and those who publish revocations, may be in, such as 10.1.0.0/16")
  let revocations = Setting(
    "seal-revocations", default: [String](), shown: "FILE,…",
    "lists of revocations in DER, read again for each seal, that are tried before anybody is asked over HTTP")
  let trust = Setting<String?>(
    "seal-trust", default: nil, shown: "FILE",
    "the certificates in PEM that VerifyDocument trusts, besides the seal's own")
}

extension Settings<SealSettings> {
  /// The seal's key; nil where there is none. What is wrong with one stops the start.
  func key() throws -> SealKey? {
    guard let path = self[\.keyFile] else { return nil }
    let bytes = try Files.readPrivate(path)
    // A file of one line ends with a line end.
    let passphrase = self[\.passphrase].map { String($0.reveal().prefix { !$0.isNewline }) } ?? ""
    guard bytes.starts(with: Array("-----BEGIN".utf8)) || self[\.certificatesFile] != nil else {
      return try SealKey(pkcs12: bytes, passphrase: passphrase)
    }
    let certificates = try self[\.certificatesFile].map { try Files.read($0, limit: 1 << 20) } ?? []
    return try SealKey(pem: bytes, certificates: certificates, passphrase: passphrase)
  }

  /// Who attests times; nil: nobody.
  func timeStamper() -> HTTPTimeStamper? {
    self[\.timeAuthority].map { HTTPTimeStamper($0, AuthorityClient(allowing: allowed)) }
  }

  /// Who looks for what proves that the seal's certificates were not revoked; nil: nobody, because a seal without an
  /// attested time is not proven by it.
  ///
  /// - Parameter chain: the certificates above the seal's own.
  func collector(knowing chain: [Certificate]) throws -> (@Sendable () throws -> ProofCollector)? {
    guard self[\.timeAuthority] != nil else { return nil }
    let client = AuthorityClient(allowing: allowed)
    let (known, paths) = (try trusted() + chain, self[\.revocations])
    return {
      let lists = try paths.map { try Files.read($0, limit: 16 << 20) }
      return ProofCollector(client, knowing: known, lists: lists)
    }
  }

  private var allowed: [NetworkRange] { self[\.timeAllow].map(\.range) }

  func trusted() throws -> [Certificate] {
    guard let path = self[\.trust] else { return [] }
    let list = Certificate.list(pem: try Files.read(path, limit: 1 << 20))
    guard !list.isEmpty else { throw SealSetupError(description: "\(path) has no certificate in PEM") }
    return list
  }
}

/// Why a process cannot seal, in one line.
struct SealSetupError: Error, CustomStringConvertible {
  let description: String
}
