internal import Authorities
internal import Base
internal import Sealing
internal import ServiceKit

/// The settings of the keys that seal documents, and of the certificates that checks of documents trust.
struct SealSettings: SettingGroup {
  let keyFile = Setting<String?>(
    "seal-key-file", default: nil, shown: "FILE",
    "the key that seals documents with its certificates, PEM or PKCS#12; a process without keys seals nothing")
  let passphrase = Setting<Secret?>("seal-passphrase", default: nil, "the passphrase of the key in --seal-key-file")
  let certificatesFile = Setting<String?>(
    "seal-certificates-file", default: nil, shown: "FILE",
    "the certificates of --seal-key-file in PEM, its own first, where that file has none")
  let keyFolder = Setting<String?>(
    "seal-key-folder", default: nil, shown: "FOLDER",
    "the folder with the keys of tenants that seal with their own: TENANT.key with its certificates, PEM or PKCS#12, "
      + "and TENANT.passphrase where the key needs one; other tenants' documents are sealed with --seal-key-file, if "
      + "it is given")
  let timeAuthority = Setting<String?>(
    "seal-time-authority", default: nil, shown: "URL",
    "the time-stamping authority that attests when documents were sealed (RFC 3161 over HTTP); without one, seals "
      + "stay at level B-B")
  let timeAllow = Setting(
    "seal-time-allow", default: [NetworkSetting](),
    "private networks in which the time-stamping authority and the publishers of revocations may be, such as "
      + "10.1.0.0/16")
  let revocations = Setting(
    "seal-revocations", default: [String](), shown: "FILE,…",
    "certificate revocation lists in DER; they are read again for each seal, and tried before a publisher is asked "
      + "over HTTP")
  let trust = Setting<String?>(
    "seal-trust", default: nil, shown: "FILE",
    "the certificates in PEM that VerifyDocument trusts, besides the seal's own; blocks named TRUSTED CERTIFICATE are "
      + "not read")
}

extension Settings<SealSettings> {
  /// The keys to seal with; nil if the process can never get one. Throws, so that the process does not start, if one of
  /// them cannot be used.
  func keys() throws -> TenantSealKeys? {
    try TenantSealKeys(common: commonKey(), folder: self[\.keyFolder])
  }

  private func commonKey() throws -> SealKey? {
    guard let path = self[\.keyFile] else { return nil }
    let certificates = try self[\.certificatesFile].map { try Files.read($0, limit: 1 << 20) } ?? []
    return try TenantSealKeys.read(
      Files.readPrivate(path), certificates: certificates,
      passphrase: self[\.passphrase].map { TenantSealKeys.firstLine($0.reveal()) } ?? "")
  }

  /// The client of the authority that attests times; nil: there is none.
  func timeStamper() -> HTTPTimeStamper? {
    self[\.timeAuthority].map { HTTPTimeStamper($0, AuthorityClient(allowing: allowed)) }
  }

  /// Returns a closure that makes a collector of proofs that a seal's certificates were not revoked; it takes the
  /// certificates above the seal's own. nil without a time authority: a seal without an attested time gains nothing by
  /// such proofs.
  func collector() throws -> (@Sendable (_ chain: [Certificate]) throws -> ProofCollector)? {
    guard self[\.timeAuthority] != nil else { return nil }
    let client = AuthorityClient(allowing: allowed)
    let (known, paths) = (try trusted(), self[\.revocations])
    return { chain in
      let lists = try paths.map { try Files.read($0, limit: 16 << 20) }
      return ProofCollector(client, knowing: known + chain, lists: lists)
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

/// The reason why a process cannot seal, in one line.
struct SealSetupError: Error, CustomStringConvertible {
  let description: String
}
