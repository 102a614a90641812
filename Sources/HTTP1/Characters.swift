/// Which bytes may stand where (RFC 9110, section 5.6.2; RFC 3986, section 2).
enum Characters {
  /// Bytes of names of methods and fields.
  static let token = table { byte in isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }
  /// Bytes of an address without a percent sign.
  static let target = table { byte in isAlphanumeric(byte) || "-._~:/?@!$&'()*+,;=[]%".utf8.contains(byte) }
  /// Bytes of the name of a host, with its port.
  static let host = table { byte in isAlphanumeric(byte) || "-._~!$&'()*+,;=%:[]".utf8.contains(byte) }
  /// Bytes of a field's value: no control character but the tabulator.
  static let value = table { byte in byte == 0x09 || byte >= 0x20 && byte != 0x7F }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  static func hexadecimal(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private static func table(_ holds: (UInt8) -> Bool) -> [Bool] { (0...255).map { holds(UInt8($0)) } }
}

extension ArraySlice<UInt8> {
  func allAre(_ table: [Bool]) -> Bool { allSatisfy { table[Int($0)] } }

  var text: String { String(decoding: self, as: UTF8.self) }

  /// Without spaces and tabulators at both ends.
  var trimmed: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }
}
