public import Base

/// A time-stamping authority's token, which attests that it saw a hash at a time.
public struct TimeStamp: Sendable {
  public let time: Instant
  public let authority: Certificate
  let certificates: [Certificate]
  let imprintHash: HashAlgorithm
  let imprint: [UInt8]
  let nonce: [UInt8]?

  /// - Throws: when the token is malformed, or its signer may not stamp times.
  init(token: [UInt8]) throws(DERFault) {
    let message = try SignedMessage(token)
    guard message.type == .timeStampInfo, let content = message.content else {
      throw DERFault(finding: "it is no time stamp")
    }
    guard message.signer.isTimeStamper else {
      let name = ShownText.quoted(message.signer.subject)
      throw DERFault(finding: "its certificate \(name) is not for stamping times", .chainConstraints)
    }
    authority = message.signer
    certificates = message.certificates
    let fields = try DERValue(content).sequence()
    guard fields.count >= 5 else { throw DERFault(finding: "parts of the time stamp are missing") }
    let mark = try fields[2].sequence()
    guard mark.count == 2, let name = try mark[0].sequence().first?.identifier() else {
      throw DERFault(finding: "the time stamp does not say what it is for")
    }
    guard let hash = HashAlgorithm(name) else { throw UnknownAlgorithm.fault("the time stamp's hash function", name) }
    imprintHash = hash
    imprint = try mark[1].octets()
    guard fields[4].tag == 0x18, let time = Self.time(fields[4].body) else {
      throw DERFault(finding: "the time stamp has no time")
    }
    self.time = time
    nonce = fields.dropFirst(5).first { $0.tag == 0x02 }?.body
  }

  func covers(_ bytes: [UInt8]) -> Bool { imprintHash.hash(bytes) == imprint }

  /// 20260301093000Z, perhaps with a fraction.
  private static func time(_ bytes: [UInt8]) -> Instant? {
    guard bytes.count >= 15, bytes.last == UInt8(ascii: "Z"), bytes.prefix(14).allSatisfy({ (48...57).contains($0) })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) } }
    guard let day = CalendarDay(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else { return nil }
    let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
    guard hour < 24, minute < 60, second < 61 else { return nil }
    var milliseconds = 0
    var fraction = bytes[14..<(bytes.count - 1)]
    if !fraction.isEmpty {
      guard fraction.removeFirst() == UInt8(ascii: "."), fraction.allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      for place in 0..<3 {
        let digits = Array(fraction)
        milliseconds = milliseconds * 10 + (place < digits.count ? Int(digits[place] - 48) : 0)
      }
    }
    let seconds = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    return Instant(millisecondsSince1970: Int64(seconds * 1000 + milliseconds))
  }
}

/// A request to a time-stamping authority, and the check of its answer.
struct TimeStampRequest {
  let bytes: [UInt8]
  private let digest: [UInt8]
  private let nonce: [UInt8]

  init(covering covered: [UInt8], nonce: [UInt8]) {
    self.init(digest: HashAlgorithm.sha256.hash(covered), nonce: nonce)
  }

  /// - Parameters:
  ///   - digest: SHA-256 of what is covered.
  ///   - nonce: random bytes, so that an older answer does not fit.
  init(digest: [UInt8], nonce: [UInt8]) {
    self.digest = digest
    // Made a positive number without leading zeros.
    self.nonce = [0x40 | (nonce.first ?? 0) & 0x3F] + nonce.dropFirst()
    bytes = DER.sequence(
      DER.integer(1),
      DER.sequence(DER.sequence(DER.identifier(HashAlgorithm.sha256.name), DER.null), DER.octets(digest)),
      DER.tagged(0x02, self.nonce), DER.boolean(true))
  }

  /// - Parameter now: the server's time. A token whose time differs from it by five minutes or more is refused.
  /// - Returns: the token.
  func token(in response: [UInt8], now: Instant) throws(DERFault) -> [UInt8] {
    let parts = try DERValue(response).sequence()
    guard let status = try parts.first?.sequence().first?.integer() else {
      throw DERFault(finding: "the time-stamping authority's answer is malformed")
    }
    guard status <= 1, parts.count == 2 else {
      throw DERFault(finding: "the time-stamping authority refused, with status \(status)")
    }
    let stamp = try TimeStamp(token: parts[1].whole)
    guard stamp.imprintHash == .sha256, stamp.imprint == digest else {
      throw DERFault(finding: "the time stamp is for something else")
    }
    guard stamp.nonce == nonce else { throw DERFault(finding: "the time stamp answers another request") }
    guard max(stamp.time, now) - min(stamp.time, now) < Self.tolerance else {
      throw DERFault(
        finding: "the time stamp says \(TimeText.printed(stamp.time)), more than 5 minutes from this server's clock")
    }
    return parts[1].whole
  }

  private static let tolerance = Duration.seconds(300)
}
