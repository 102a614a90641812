/// A CMS signature, parsed and verified with its signer's certificate. Whether that certificate is trusted is decided
/// elsewhere.
struct SignedMessage {
  let certificates: [Certificate]
  let signer: Certificate
  let type: OID
  /// The signed content, if the message contains it; nil if it is detached.
  let content: [UInt8]?
  let hash: HashAlgorithm
  /// The digest of the content, as the signed attributes state it.
  let digest: [UInt8]
  let signature: [UInt8]
  let hasSigningTime: Bool
  /// Whether the signed attributes name the signer's certificate by its hash.
  let namesCertificate: Bool
  /// Time stamps over the signature, as tokens.
  let timeStamps: [[UInt8]]

  private static let mostCertificates = 100
  private static let mostCertificateBytes = 1 << 20
  private static let mostTimeStamps = 8

  /// - Throws: when the message is malformed, or the signer's key did not make its signature.
  init(_ bytes: [UInt8]) throws(DERFault) {
    let outer = try DERValue(bytes).sequence()
    guard outer.count == 2, try outer[0].identifier() == .signedData, outer[1].tag == 0xA0 else {
      throw DERFault(finding: "it is no signed data")
    }
    let inner = try outer[1].children()
    guard inner.count == 1 else { throw DERFault(finding: "it has no single content") }
    var fields = try inner[0].sequence()[...]
    guard fields.count >= 4 else { throw DERFault(finding: "parts of it are missing") }
    let version = try fields.removeFirst().integer()
    let announced = fields.removeFirst()
    guard announced.tag == 0x31 else { throw DERFault(finding: "its hash functions are missing") }
    let hashes = try announced.children().map(\.whole)
    let encapsulated = try fields.removeFirst().sequence()
    guard let first = encapsulated.first else { throw DERFault(finding: "it has no content type") }
    type = try first.identifier()
    guard encapsulated.count <= 2, encapsulated.dropFirst().allSatisfy({ $0.tag == 0xA0 }) else {
      throw DERFault(finding: "its content is malformed")
    }
    content = try encapsulated.count > 1 ? encapsulated[1].children().first?.octets() : nil
    var list: [Certificate] = []
    if fields.first?.tag == 0xA0 {
      let values = try fields.removeFirst().children()
      guard values.count <= Self.mostCertificates else {
        throw DERFault(
          finding: "\(values.count) certificates come along; at most \(Self.mostCertificates) are read", .generic)
      }
      let size = values.reduce(0) { $0 + $1.whole.count }
      guard size <= Self.mostCertificateBytes else {
        throw DERFault(
          finding: "the certificates that come along have \(size) bytes; at most \(Self.mostCertificateBytes) are read",
          .generic)
      }
      for value in values {
        guard let certificate = Certificate(der: value.whole) else {
          throw DERFault(finding: "one of its certificates cannot be read", .brokenChain)
        }
        list.append(certificate)
      }
    }
    if fields.first?.tag == 0xA1 { _ = fields.removeFirst() }
    guard fields.count == 1, let set = fields.first, set.tag == 0x31 else {
      throw DERFault(finding: "its signers are missing")
    }
    let signers = try set.children()
    guard signers.count == 1 else {
      throw DERFault(finding: "it has \(signers.count) signers; there has to be one", .signatureConstraints)
    }
    let info = try SignerInfo(signers[0])
    // The version that RFC 5652, 5.1 demands, if all certificates are X.509.
    guard version == (type == .data && !info.isNamedByKey ? 1 : 3) else {
      throw DERFault(finding: "its version is not that of its content", .signatureConstraints)
    }
    guard hashes.contains(info.hashAlgorithm) else {
      throw DERFault(finding: "its hash function is not the one that it announces", .signatureConstraints)
    }
    certificates = list
    guard let own = list.first(where: { info.identifies($0) }) else {
      throw DERFault(finding: "the signer's certificate is not in it", .noCertificate)
    }
    signer = own
    hash = info.hash
    signature = info.signature
    guard own.verifies(signature, of: info.signedBytes, info.signatureHash, salt: info.salt) else {
      throw DERFault(
        finding: "the signature was not made with the certificate's key, or what it covers was changed", .cryptoFailure)
    }
    let attributes = info.attributes
    guard try attributes.value(.contentType)?.identifier() == type else {
      throw DERFault(finding: "the signed content type is not that of the content")
    }
    guard let stated = try attributes.value(.messageDigest)?.octets() else {
      throw DERFault(finding: "the signed digest is missing")
    }
    digest = stated
    hasSigningTime = attributes.has(.signingTime)
    namesCertificate = try attributes.names(own)
    // Other unsigned attributes, such as an OCSP response, are protected by nothing and so ignored.
    timeStamps = info.unsigned.values(.signatureTimeStamp).map(\.whole)
    guard timeStamps.count <= Self.mostTimeStamps else {
      throw DERFault(
        finding: "it has \(timeStamps.count) time stamps; at most \(Self.mostTimeStamps) are read", .generic)
    }
    if let content, hash.hash(content) != digest { throw DERFault(finding: "its content was changed", .hashFailure) }
  }
}

/// The signer, the signed attributes, and the algorithms.
private struct SignerInfo {
  /// How the signer's certificate is found among those in the message.
  enum Name: Hashable {
    case issuerAndSerial([UInt8])
    case key([UInt8])
  }

  private let name: Name
  let hashAlgorithm: [UInt8]
  let hash: HashAlgorithm
  let signatureHash: HashAlgorithm
  let salt: Int?
  let attributes: CMSAttributes
  let signedBytes: [UInt8]
  let signature: [UInt8]
  let unsigned: CMSAttributes

  init(_ value: DERValue) throws(DERFault) {
    var fields = try value.sequence()[...]
    guard fields.count >= 5 else { throw DERFault(finding: "parts of the signer are missing") }
    let version = try fields.removeFirst().integer()
    let id = fields.removeFirst()
    switch (version, id.tag) {
    case (1, 0x30): name = .issuerAndSerial(id.body)
    case (3, 0x80): name = .key(id.body)
    default: throw DERFault(finding: "the signer is named neither by issuer and serial number nor by key")
    }
    let algorithm = fields.removeFirst()
    hashAlgorithm = algorithm.whole
    hash = try Self.hash(algorithm)
    let signed = fields.removeFirst()
    guard signed.tag == 0xA0, fields.count >= 2 else {
      throw DERFault(finding: "it has no signed attributes, as PAdES asks", .signatureConstraints)
    }
    // The signature covers these bytes with the tag of a set.
    signedBytes = [0x31] + signed.whole.dropFirst()
    attributes = try CMSAttributes(signed.children())
    (signatureHash, salt) = try Self.algorithm(fields.removeFirst(), hash)
    signature = try fields.removeFirst().octets()
    // An unreadable field is an error, since it may be the time stamp.
    guard fields.count <= 1, fields.allSatisfy({ $0.tag == 0xA1 }) else {
      throw DERFault(finding: "something stands behind the signature that is no attribute")
    }
    unsigned = try CMSAttributes(fields.first?.children() ?? [], mayRepeat: true)
  }

  var isNamedByKey: Bool { if case .key = name { true } else { false } }

  func identifies(_ certificate: Certificate) -> Bool {
    switch name {
    case .issuerAndSerial(let bytes): bytes == certificate.issuerDER + certificate.serialDER
    case .key(let identifier): certificate.keyIdentifier == identifier
    }
  }

  static func hash(_ value: DERValue) throws(DERFault) -> HashAlgorithm {
    let parts = try value.sequence()
    guard let name = try parts.first?.identifier() else { throw DERFault(finding: "its hash function is missing") }
    guard let hash = HashAlgorithm(name) else { throw UnknownAlgorithm.fault("its hash function", name) }
    guard parts.count == 1 || (parts.count == 2 && parts[1].whole == DER.null) else {
      throw DERFault(finding: "its hash function has parameters")
    }
    return hash
  }

  private static func algorithm(
    _ value: DERValue, _ hash: HashAlgorithm
  ) throws(DERFault) -> (HashAlgorithm, salt: Int?) {
    let parts = try value.sequence()
    guard let name = try parts.first?.identifier() else { throw DERFault(finding: "how it is signed is missing") }
    let isPlain = parts.count == 1 || (parts.count == 2 && parts[1].whole == DER.null)
    guard isPlain || name == .rsaPSS else { throw DERFault(finding: "how it is signed has parameters") }
    switch name {
    case .rsa: return (hash, nil)
    case .rsaSHA256, .ecdsaSHA256: return (.sha256, nil)
    case .rsaSHA384, .ecdsaSHA384: return (.sha384, nil)
    case .rsaSHA512, .ecdsaSHA512: return (.sha512, nil)
    case .rsaPSS:
      guard parts.count == 2 else { throw DERFault(finding: "RSA-PSS lacks its parameters") }
      return try Self.padding(parts[1])
    default: throw UnknownAlgorithm.fault("how it is signed", name)
    }
  }

  /// The hash function of RSA-PSS and the length of its salt, which is whatever the key has room for.
  private static func padding(_ parameters: DERValue) throws(DERFault) -> (HashAlgorithm, salt: Int?) {
    // What is left out is SHA-1 with a salt of 20 bytes.
    var (own, mask, salt) = (HashAlgorithm?.none, HashAlgorithm?.none, 20)
    for part in try parameters.sequence() {
      guard let inner = try part.children().first else { continue }
      switch part.tag {
      case 0xA0: own = try Self.hash(inner)
      case 0xA1:
        let generator = try inner.sequence()
        guard generator.count == 2, try generator[0].identifier() == .maskGenerator1 else {
          throw DERFault(finding: "RSA-PSS has a mask that is not known", .generic)
        }
        mask = try Self.hash(generator[1])
      case 0xA2: salt = try inner.integer()
      default: break
      }
    }
    guard let own, let mask else { throw DERFault(finding: "RSA-PSS uses SHA-1, which is too weak", .weak) }
    guard own == mask, salt <= 2048 else {
      throw DERFault(finding: "RSA-PSS has a mask or a salt that is not known", .generic)
    }
    return (own, salt)
  }
}

/// Attributes with their values.
struct CMSAttributes {
  private var all: [OID: [DERValue]] = [:]

  /// - Parameter mayRepeat: whether attributes may occur several times, as unsigned ones may and signed ones may not.
  init(_ values: [DERValue], mayRepeat: Bool = false) throws(DERFault) {
    for value in values {
      let parts = try value.sequence()
      guard parts.count == 2, parts[1].tag == 0x31 else { throw DERFault(finding: "an attribute is malformed") }
      let name = try parts[0].identifier()
      guard mayRepeat || all[name] == nil else { throw DERFault(finding: "an attribute occurs twice") }
      all[name, default: []] += try parts[1].children()
    }
  }

  func has(_ name: OID) -> Bool { all[name] != nil }

  func values(_ name: OID) -> [DERValue] { all[name] ?? [] }

  /// The only value of an attribute; nil without the attribute.
  func value(_ name: OID) throws(DERFault) -> DERValue? {
    guard let values = all[name] else { return nil }
    guard values.count == 1 else { throw DERFault(finding: "an attribute has several values") }
    return values[0]
  }

  /// Whether the attribute names this certificate by its hash; throws when it names another one.
  func names(_ certificate: Certificate) throws(DERFault) -> Bool {
    guard let value = try value(.signingCertificate2) else { return false }
    guard let id = try value.sequence().first?.sequence().first?.sequence() else {
      throw DERFault(finding: "the attribute that names the certificate is malformed")
    }
    var hash = HashAlgorithm.sha256
    var parts = id[...]
    if parts.first?.isSequence == true {
      guard let name = try parts.removeFirst().sequence().first?.identifier(), let own = HashAlgorithm(name) else {
        throw DERFault(finding: "the certificate is named by a weak hash", .weak)
      }
      hash = own
    }
    guard let named = try parts.first?.octets(), named == hash.hash(certificate.der) else {
      throw DERFault(
        finding: "the signature names another certificate than the one that is with it", .noCertificate)
    }
    return true
  }
}

extension HashAlgorithm {
  init?(_ name: OID) {
    switch name {
    case .sha256: self = .sha256
    case .sha384: self = .sha384
    case .sha512: self = .sha512
    default: return nil
    }
  }

  var name: OID {
    switch self {
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}
