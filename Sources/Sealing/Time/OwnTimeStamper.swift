public import Base

/// A time-stamping authority with a key of its own, for development and tests. Others accept a time only if its
/// authority is not the signer.
public struct OwnTimeStamper: TimeStamper {
  private let key: SealKey
  private let now: @Sendable () -> Instant

  public init(_ key: SealKey, now: @escaping @Sendable () -> Instant) {
    self.key = key
    self.now = now
  }

  public func answer(to request: [UInt8]) async throws -> [UInt8] {
    let fields = try DERValue(request).sequence()
    guard fields.count >= 2 else { throw DERFault(finding: "the request is malformed") }
    let nonce = fields.dropFirst(2).first { $0.tag == 0x02 }
    let digits = TimeText.rfc3339(now()).utf8.filter { (48...57).contains($0) }
    let info = DER.sequence(
      DER.integer(1), DER.identifier(OID.ownPolicy), fields[1].whole,
      DER.integer(Int(now().millisecondsSince1970)), DER.tagged(0x18, Array(digits.prefix(14)) + [UInt8(ascii: "Z")]),
      nonce?.whole ?? [])
    let token = try SignedDataWriter.sign(
      digest: HashAlgorithm.sha256.hash(info), key, type: .timeStampInfo, content: info)
    return DER.sequence(DER.sequence(DER.integer(0)), token)
  }
}
