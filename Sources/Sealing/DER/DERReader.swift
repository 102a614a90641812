/// Why bytes cannot be read as what they should be.
struct DERFault: Error, Hashable {
  let finding: String
  let subindication: Subindication

  init(finding: String, _ subindication: Subindication = .formatFailure) {
    (self.finding, self.subindication) = (finding, subindication)
  }
}

/// A value of ASN.1 and the bytes that it came from. Lengths are strict; indefinite ones are refused, as PAdES does.
struct DERValue {
  let tag: UInt8
  /// The value with its tag and length.
  let whole: [UInt8]
  let body: [UInt8]

  /// Reads bytes that are exactly one value.
  init(_ bytes: [UInt8]) throws(DERFault) {
    var reader = DERReader(bytes)
    self = try reader.next()
    guard reader.isAtEnd else { throw DERFault(finding: "bytes follow a value") }
  }

  init(tag: UInt8, whole: [UInt8], body: [UInt8]) {
    (self.tag, self.whole, self.body) = (tag, whole, body)
  }

  var isSequence: Bool { tag == 0x30 }

  func children() throws(DERFault) -> [DERValue] {
    guard tag & 0x20 != 0 else { throw DERFault(finding: "a value that should have parts has none") }
    var reader = DERReader(body)
    var values: [DERValue] = []
    while !reader.isAtEnd {
      guard values.count < 10_000 else { throw DERFault(finding: "a value has too many parts") }
      values.append(try reader.next())
    }
    return values
  }

  func sequence() throws(DERFault) -> [DERValue] {
    guard tag == 0x30 else { throw DERFault(finding: "a sequence is missing") }
    return try children()
  }

  func identifier() throws(DERFault) -> OID {
    guard tag == 0x06, !body.isEmpty else { throw DERFault(finding: "an object identifier is missing") }
    return OID(bytes: body)
  }

  func octets() throws(DERFault) -> [UInt8] {
    guard tag == 0x04 else { throw DERFault(finding: "a string of bytes is missing") }
    return body
  }

  func integer() throws(DERFault) -> Int {
    guard tag == 0x02, (1...7).contains(body.count), body[0] < 128 else {
      throw DERFault(finding: "a small number is missing")
    }
    return body.reduce(0) { $0 << 8 | Int($1) }
  }
}

struct DERReader {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { at == bytes.count }
  var place: Int { at }

  mutating func next() throws(DERFault) -> DERValue {
    let start = at
    guard at + 2 <= bytes.count else { throw DERFault(finding: "a value is cut off") }
    let tag = bytes[at]
    guard tag & 0x1F != 0x1F else { throw DERFault(finding: "a value has a long tag") }
    var length = Int(bytes[at + 1])
    at += 2
    if length >= 128 {
      let count = length - 128
      guard count > 0 else {
        throw DERFault(
          finding: "a value has an indefinite length, as BER has it; PDF asks for DER, and only that is read", .generic)
      }
      guard (1...4).contains(count), at + count <= bytes.count else {
        throw DERFault(finding: "a value has no definite length")
      }
      length = bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 128, bytes[at] != 0 else { throw DERFault(finding: "a length is not as short as it can be") }
      at += count
    }
    guard length <= bytes.count - at else { throw DERFault(finding: "a value is cut off") }
    let body = Array(bytes[at..<(at + length)])
    at += length
    return DERValue(tag: tag, whole: Array(bytes[start..<at]), body: body)
  }
}
