internal import Base
internal import HTTP1

/// The request line and the headers of a request.
package struct RequestHead: Sendable {
  package struct Header: Hashable, Sendable {
    /// In lower case.
    package let name: String
    package let value: String
  }

  package var method: String
  /// As it was sent: still percent-encoded, without the query.
  package var path: String
  package var query: String
  /// In the order in which they were sent.
  package var headers: [Header] = []
  /// The caller's address, without the port.
  package var address: String
  package var isSecure: Bool
  /// Whether the answer may begin before the request ends, as over HTTP/2.
  package var isDuplex = false
  /// Whether headers were dropped because there were too many bytes of them.
  package var isCutShort = false
  /// Whether the request line or a header has so many combining marks that comparing it would be slow.
  private var hasTooManyMarks = false
  /// Whether it is known that no header stands twice that may stand only once.
  private var isChecked = false

  /// - Parameter target: the path and, behind a question mark, the query.
  package init(method: String, target: String, address: String, isSecure: Bool = false) {
    hasTooManyMarks = !StreamSafeText.holds(method) || !StreamSafeText.holds(target)
    self.method = method
    // Done by bytes because it runs for each request, and characters would be looked up in Unicode's tables.
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = mark.map { String(target[..<$0]) } ?? target
    query = mark.map { String(target[$0...].utf8.dropFirst()) ?? "" } ?? ""
    self.address = address
    self.isSecure = isSecure
  }

  /// The head of a request over HTTP/1.1, whose names are in lower case already.
  init(_ head: ReceivedHead, address: String, isSecure: Bool) {
    self.init(method: head.method, target: head.target, address: address, isSecure: isSecure)
    isChecked = true
    headers = head.fields.map { Header(name: $0.name, value: $0.value) }
    if !headers.allSatisfy({ StreamSafeText.holds($0.value) }) { (hasTooManyMarks, headers) = (true, []) }
  }

  package mutating func add(_ name: String, _ value: String) {
    guard StreamSafeText.holds(name) else {
      hasTooManyMarks = true
      return
    }
    add(lowercased: name.lowercased(), value)
  }

  /// - Parameter name: of bytes that names may have, and in lower case.
  mutating func add(lowercased name: String, _ value: String) {
    guard StreamSafeText.holds(value) else {
      hasTooManyMarks = true
      return
    }
    headers.append(Header(name: name, value: value))
  }

  /// The first value of a header, by its name in lower case.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// What makes the request ambiguous, or would make comparing its headers slow; nil when nothing does.
  package var fault: String? {
    if hasTooManyMarks { return StreamSafeText.requirement }
    if isChecked { return nil }
    var singles = SingleFields()
    for header in headers where singles.isRepeated(header.name) { return SingleFields.objection(header.name) }
    return nil
  }

  /// Whether a header that has a list of words contains this one. With `gzip;q=0` the client refuses gzip.
  package func lists(_ word: String, in name: String) -> Bool {
    headers.contains { header in
      guard header.name == name else { return false }
      var rest = header.value.utf8[...]
      while !rest.isEmpty {
        var item = Self.next(before: UInt8(ascii: ","), from: &rest)
        if Self.says(Self.next(before: UInt8(ascii: ";"), from: &item), word), !Self.isRefused(item) { return true }
      }
      return false
    }
  }

  /// The part up to a separator, which is taken from the text with it. Done without lists of parts, because it runs for
  /// each request.
  private static func next(before separator: UInt8, from text: inout Substring.UTF8View) -> Substring.UTF8View {
    let part = text.prefix { $0 != separator }
    text = text[part.endIndex...].dropFirst()
    return part
  }

  /// Whether one of a word's parameters says that it is not wanted.
  private static func isRefused(_ parameters: Substring.UTF8View) -> Bool {
    var rest = parameters
    while !rest.isEmpty {
      let parameter = next(before: UInt8(ascii: ";"), from: &rest)
      if refusals.contains(where: { says(parameter, $0) }) { return true }
    }
    return false
  }

  private static let refusals = ["q=0", "q=0.0", "q=0.00", "q=0.000"]

  /// Whether a text is a word in lower case, whatever its own case and its spaces. Done by bytes, like the above.
  private static func says(_ text: Substring.UTF8View, _ word: String) -> Bool {
    text.lazy.filter { $0 != UInt8(ascii: " ") }
      .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
      .elementsEqual(word.utf8)
  }

  /// The fields of the query, percent-decoded; nil when it is malformed or has a field twice.
  package var queryFields: [String: String]? {
    var fields: [String: String] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decode(pair[0]), let value = PercentCoding.decode(pair.count > 1 ? pair[1] : ""),
        fields.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return fields
  }
}

/// Percent-encoding in URLs, such as `%20`.
package enum PercentCoding {
  /// nil when a percent sign is not followed by two hexadecimal digits, and when the text is not UTF-8 or would be slow
  /// to compare.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { StreamSafeText.holds($0) ? $0 : nil }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
