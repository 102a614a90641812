/// A line of a head or a trailer (RFC 9112, section 5).
enum FieldLine {
  static func read(_ line: ArraySlice<UInt8>) throws(RequestFault) -> ReceivedHead.Field {
    if line.first == 0x20 || line.first == 0x09 {
      throw .malformed("a header's value is on one line: a line that begins with a space continues nothing")
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw .malformed("a header is a name, a colon and a value")
    }
    let name = line[..<colon]
    guard !name.isEmpty, name.allAre(Characters.token) else {
      throw .malformed("a header's name is empty, or has a character that it may not, such as a space before the colon")
    }
    let value = line[(colon + 1)...].trimmed
    guard value.allAre(Characters.value) else { throw .malformed("a header's value has a control character") }
    return ReceivedHead.Field(String(lowercasing: name), value.text)
  }
}
