/// Writes signatures as CMS: one signer, detached, with the signer's certificates.
///
/// OpenSSL's own function always adds the time of signing to the signed attributes. PAdES forbids it there, since a
/// time that nobody attests proves nothing. So the message is assembled here, and OpenSSL makes only the signature
/// itself.
enum SignedDataWriter {
  /// - Parameters:
  ///   - digest: SHA-256 of what is signed.
  ///   - content: for a time stamp's token, which contains what it signs; nil for a detached signature.
  static func sign(
    digest: [UInt8], _ key: SealKey, type: OID = .data, content: [UInt8]? = nil
  ) throws(SealingError) -> [UInt8] {
    let attributes = [
      attribute(.contentType, DER.identifier(type)), attribute(.messageDigest, DER.octets(digest)),
      attribute(.signingCertificate2, signingCertificate(key.certificate)),
    ]
    let set = DER.set(attributes)
    let signature = try key.sign(set)
    return write(
      type: type, content: content, key: key, attributes: set, signature: signature, unsigned: [])
  }

  private static func write(
    type: OID, content: [UInt8]?, key: SealKey, attributes: [UInt8], signature: [UInt8], unsigned: [[UInt8]]
  ) -> [UInt8] {
    let own = key.certificate
    let algorithm =
      switch key.kind {
      case .ecdsa: DER.sequence(DER.identifier(.ecdsaSHA256))
      case .rsa: DER.sequence(DER.identifier(.rsaSHA256), DER.null)
      }
    let signer = DER.sequence(
      DER.integer(1), DER.sequence(own.issuerDER, own.serialDER), sha256, retagged(attributes, 0xA0), algorithm,
      DER.octets(signature))
    let inner = content.map { DER.explicit(0, DER.octets($0)) } ?? []
    let certificates = ([own] + key.chain).map(\.der)
    let data = DER.sequence(
      DER.integer(type == .data ? 1 : 3), DER.set([sha256]), DER.sequence(DER.identifier(type), inner),
      retagged(DER.set(certificates), 0xA0), DER.set([signer]))
    return DER.sequence(DER.identifier(.signedData), DER.explicit(0, data))
  }

  private static let sha256 = DER.sequence(DER.identifier(.sha256))

  static func attribute(_ name: OID, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.identifier(name), DER.set([value]))
  }

  /// Names the certificate by its hash, so that no other certificate with the same key can replace it.
  private static func signingCertificate(_ certificate: Certificate) -> [UInt8] {
    let names = DER.sequence(DER.explicit(4, certificate.issuerDER))
    let id = DER.sequence(
      DER.octets(HashAlgorithm.sha256.hash(certificate.der)), DER.sequence(names, certificate.serialDER))
    return DER.sequence(DER.sequence(id))
  }

  private static func retagged(_ bytes: [UInt8], _ tag: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[0] = tag
    return bytes
  }

  /// The same signature with a time stamp among the attributes that it does not cover.
  static func adding(token: [UInt8], to message: [UInt8]) throws(DERFault) -> [UInt8] {
    try edited(message) { $0.append(attribute(.signatureTimeStamp, token)) }
  }

  /// The same signature without time stamps.
  static func withoutTimes(_ message: [UInt8]) throws(DERFault) -> [UInt8] {
    let name = DER.identifier(.signatureTimeStamp)
    return try edited(message) { attributes throws(DERFault) in
      var kept: [[UInt8]] = []
      for one in attributes where try DERValue(one).sequence().first?.whole != name { kept.append(one) }
      attributes = kept
    }
  }

  /// A message whose unsigned attributes were edited.
  private static func edited(
    _ message: [UInt8], _ edit: (inout [[UInt8]]) throws(DERFault) -> Void
  ) throws(DERFault) -> [UInt8] {
    let content = try DERValue(message).sequence()
    guard content.count == 2, let data = try content[1].children().first else {
      throw DERFault(finding: "the signature has no content")
    }
    var parts = try data.sequence().map(\.whole)
    guard let last = parts.popLast(), let signer = try DERValue(last).children().first else {
      throw DERFault(finding: "the signature has no signer")
    }
    var fields = try signer.sequence()
    var attributes: [[UInt8]] = []
    if let old = fields.last, old.tag == 0xA1 {
      attributes = try old.children().map(\.whole)
      fields.removeLast()
    }
    try edit(&attributes)
    let beside = attributes.isEmpty ? [] : retagged(DER.set(attributes), 0xA1)
    parts.append(DER.set([DER.tagged(0x30, Array(fields.map(\.whole).joined()) + beside)]))
    return DER.sequence(
      DER.identifier(.signedData), DER.explicit(0, DER.tagged(0x30, Array(parts.joined()))))
  }
}
