/// The first line of a request (RFC 9112, section 3).
struct RequestLine {
  var method: String
  var target: String
  /// The host that an address in its absolute form names.
  var host: String?
  var isCurrent: Bool

  private static let longestMethod = 32

  init(_ line: ArraySlice<UInt8>, longestTarget: Int) throws(RequestFault) {
    let space = UInt8(ascii: " ")
    guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space),
      line.count(where: { $0 == space }) == 2
    else { throw .malformed("a request line is a method, an address and a version, with one space between them") }
    let (name, address) = (line[..<first], line[(first + 1)..<last])
    guard (1...Self.longestMethod).contains(name.count), name.allAre(Characters.token) else {
      throw .malformed("the method has a character that it may not, or is too long")
    }
    method = name.text
    isCurrent = try Self.version(line[(last + 1)...])
    guard address.count <= longestTarget else {
      throw RequestFault(414, "the request's address has more than \(longestTarget) bytes")
    }
    guard address.allAre(Characters.target), Self.hasWholeEscapes(address) else {
      throw .malformed("the request's address has a character that must be percent-encoded")
    }
    (target, host) = try Self.place(address.text, method: method)
  }

  private static func version(_ text: ArraySlice<UInt8>) throws(RequestFault) -> Bool {
    if text.elementsEqual("HTTP/1.1".utf8) { return true }
    if text.elementsEqual("HTTP/1.0".utf8) { return false }
    guard text.count == 8, text.starts(with: "HTTP/".utf8), text[text.startIndex + 6] == UInt8(ascii: "."),
      Characters.isDigit(text[text.startIndex + 5]), Characters.isDigit(text[text.startIndex + 7])
    else { throw .malformed("the request line ends in a version such as HTTP/1.1") }
    throw RequestFault(505, "this is HTTP/1.1; \(text.text) is not spoken here in this form")
  }

  /// Whether each percent sign is followed by two hexadecimal digits.
  private static func hasWholeEscapes(_ target: ArraySlice<UInt8>) -> Bool {
    var rest = target
    while let place = rest.firstIndex(of: UInt8(ascii: "%")) {
      guard place + 2 < rest.endIndex, Characters.hexadecimal(rest[place + 1]) != nil,
        Characters.hexadecimal(rest[place + 2]) != nil
      else { return false }
      rest = rest[(place + 3)...]
    }
    return true
  }

  /// The path and query of an address, and the host if the address has one.
  private static func place(_ text: String, method: String) throws(RequestFault) -> (target: String, host: String?) {
    if text.hasPrefix("/") { return (text, nil) }
    if text == "*", method == "OPTIONS" { return (text, nil) }
    let scheme = text.prefix { $0 != ":" }
    guard ["http", "https"].contains(scheme.lowercased()), text.dropFirst(scheme.count).hasPrefix("://") else {
      throw .malformed("the request's address begins with '/', or is a whole address of http or https")
    }
    let rest = text.dropFirst(scheme.count + 3)
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    guard !host.isEmpty else { throw .malformed("the request's address names no host") }
    let target = rest.dropFirst(host.count)
    return (target.hasPrefix("/") ? String(target) : "/\(target)", String(host))
  }
}
