/// ASN.1 in its distinguished encoding.
enum DER {
  static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, Array(parts.joined())) }

  /// The members of a set are written in the order of their bytes.
  static func set(_ members: [[UInt8]]) -> [UInt8] {
    tagged(0x31, Array(members.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }

  static func integer(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    repeat {
      bytes.insert(UInt8(rest & 255), at: 0)
      rest >>= 8
    } while rest > 0
    if bytes[0] > 127 { bytes.insert(0, at: 0) }
    return tagged(0x02, bytes)
  }

  static let null: [UInt8] = [0x05, 0x00]

  /// Context-specific and constructed.
  static func explicit(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { tagged(0xA0 | number, bytes) }

  static func identifier(_ identifier: OID) -> [UInt8] { tagged(0x06, identifier.bytes) }

  static func boolean(_ value: Bool) -> [UInt8] { tagged(0x01, [value ? 255 : 0]) }

  static func tagged(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var result = [tag]
    if bytes.count < 128 {
      result.append(UInt8(bytes.count))
    } else {
      var length: [UInt8] = []
      var rest = bytes.count
      while rest > 0 {
        length.insert(UInt8(rest & 255), at: 0)
        rest >>= 8
      }
      result += [0x80 | UInt8(length.count)] + length
    }
    return result + bytes
  }
}

/// The number of something that standards name.
struct OID: Hashable, Sendable {
  /// The encoding in DER, without tag and length.
  let bytes: [UInt8]

  init(_ parts: Int...) {
    var bytes = [UInt8(parts[0] * 40 + parts[1])]
    for part in parts.dropFirst(2) {
      var groups = [UInt8(part & 127)]
      var rest = part >> 7
      while rest > 0 {
        groups.insert(UInt8(rest & 127) | 128, at: 0)
        rest >>= 7
      }
      bytes += groups
    }
    self.bytes = bytes
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// As people write it: "1.3.101.112".
  var dotted: String {
    var parts: [UInt64] = []
    var part: UInt64 = 0
    for byte in bytes.prefix(32) {
      part = part << 7 | UInt64(byte & 127)
      if byte < 128 {
        parts += parts.isEmpty ? [min(part / 40, 2), part - min(part / 40, 2) * 40] : [part]
        part = 0
      }
    }
    return parts.map(String.init).joined(separator: ".")
  }

  /// The policy of Assent's own time stamps, on which nobody can rely.
  static let ownPolicy = OID(1, 3, 6, 1, 4, 1, 99_999, 1)
  static let data = OID(1, 2, 840, 113_549, 1, 7, 1)
  static let signedData = OID(1, 2, 840, 113_549, 1, 7, 2)
  static let contentType = OID(1, 2, 840, 113_549, 1, 9, 3)
  static let messageDigest = OID(1, 2, 840, 113_549, 1, 9, 4)
  static let signingTime = OID(1, 2, 840, 113_549, 1, 9, 5)
  static let signingCertificate = OID(1, 2, 840, 113_549, 1, 9, 16, 2, 12)
  static let signingCertificate2 = OID(1, 2, 840, 113_549, 1, 9, 16, 2, 47)
  static let signatureTimeStamp = OID(1, 2, 840, 113_549, 1, 9, 16, 2, 14)
  static let timeStampInfo = OID(1, 2, 840, 113_549, 1, 9, 16, 1, 4)
  static let sha256 = OID(2, 16, 840, 1, 101, 3, 4, 2, 1)
  static let sha384 = OID(2, 16, 840, 1, 101, 3, 4, 2, 2)
  static let sha512 = OID(2, 16, 840, 1, 101, 3, 4, 2, 3)
  static let rsa = OID(1, 2, 840, 113_549, 1, 1, 1)
  static let rsaSHA256 = OID(1, 2, 840, 113_549, 1, 1, 11)
  static let rsaSHA384 = OID(1, 2, 840, 113_549, 1, 1, 12)
  static let rsaSHA512 = OID(1, 2, 840, 113_549, 1, 1, 13)
  static let maskGenerator1 = OID(1, 2, 840, 113_549, 1, 1, 8)
  static let rsaPSS = OID(1, 2, 840, 113_549, 1, 1, 10)
  static let ecdsaSHA256 = OID(1, 2, 840, 10045, 4, 3, 2)
  static let ecdsaSHA384 = OID(1, 2, 840, 10045, 4, 3, 3)
  static let ecdsaSHA512 = OID(1, 2, 840, 10045, 4, 3, 4)
}
