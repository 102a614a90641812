/// Reads clean markup as the consent service's sanitiser writes it: every element is closed, and there are five
/// references.
///
/// Any other markup is refused, since a guess might show something else than what was agreed to.
struct MarkupReader {
  enum Token: Equatable {
    case open(String, [String: String])
    case close(String)
    case text(String)
  }

  static let empty: Set<String> = ["br", "col", "hr", "img", "wbr"]
  static let deepest = 120

  /// - Parameter isXML: whether a slash at an element's end closes it.
  static func read(
    _ markup: String, place: String, isXML: Bool = false, _ patience: Patience
  ) throws(DocumentError) -> [Token] {
    var reader = MarkupReader(bytes: Array(markup.utf8), place: place, isXML: isXML)
    return try reader.read(patience)
  }

  private let bytes: [UInt8]
  private let place: String
  private let isXML: Bool
  private var at = 0
  private var open: [String] = []

  private init(bytes: [UInt8], place: String, isXML: Bool) {
    self.bytes = bytes
    self.place = place
    self.isXML = isXML
  }

  private func fault(_ finding: String) -> DocumentError { .malformed(place: place, finding: finding) }

  /// How many tokens are read between two checks of the time.
  private static let partsBetweenLooks = 1024

  private mutating func read(_ patience: Patience) throws(DocumentError) -> [Token] {
    var tokens: [Token] = []
    var parts = 0
    while at < bytes.count {
      parts += 1
      if parts % Self.partsBetweenLooks == 0 { try patience.check() }
      if bytes[at] == UInt8(ascii: "<") {
        tokens += try tag()
      } else {
        let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        tokens.append(.text(try text(bytes[at..<end])))
        at = end
      }
    }
    if let name = open.last { throw fault("leaves <\(name)> open") }
    return tokens
  }

  private mutating func tag() throws(DocumentError) -> [Token] {
    at += 1
    if at < bytes.count, bytes[at] == UInt8(ascii: "/") {
      at += 1
      let name = try self.name()
      try expect(UInt8(ascii: ">"))
      guard open.popLast() == name else { throw fault("closes <\(name)>, which is not the element that is open") }
      return [.close(name)]
    }
    let name = try self.name()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      guard at < bytes.count else { throw fault("ends inside <\(name)>") }
      if bytes[at] == UInt8(ascii: ">") || bytes[at] == UInt8(ascii: "/") { break }
      let attribute = try self.name()
      try expect(UInt8(ascii: "="))
      try expect(UInt8(ascii: "\""))
      guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "\"")) else { throw fault("ends inside an attribute") }
      attributes[attribute] = try text(bytes[at..<end])
      at = end + 1
    }
    let isClosed = bytes[at] == UInt8(ascii: "/")
    if isClosed { at += 1 }
    try expect(UInt8(ascii: ">"))
    guard isXML ? !isClosed : !Self.empty.contains(name) else { return [.open(name, attributes), .close(name)] }
    guard open.count < Self.deepest else { throw fault("is nested more than \(Self.deepest) deep") }
    open.append(name)
    return [.open(name, attributes)]
  }

  private mutating func name() throws(DocumentError) -> String {
    let start = at
    while at < bytes.count, bytes[at].isNameByte { at += 1 }
    guard at > start else { throw fault("has a '<' or an attribute without a name") }
    return String(decoding: bytes[start..<at], as: UTF8.self).lowercased()
  }

  private mutating func expect(_ byte: UInt8) throws(DocumentError) {
    guard at < bytes.count, bytes[at] == byte else { throw fault("has a tag that is not well-formed") }
    at += 1
  }

  private mutating func skipSpace() {
    while at < bytes.count, [9, 10, 12, 13, 32].contains(bytes[at]) { at += 1 }
  }

  /// Text with its references resolved.
  private func text(_ slice: ArraySlice<UInt8>) throws(DocumentError) -> String {
    guard slice.contains(UInt8(ascii: "&")) else { return String(decoding: slice, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = slice
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        throw fault("has an '&' that begins no reference")
      }
      let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      guard let scalar = Self.scalar(name) else { throw fault("has the reference &\(name);, which is not known") }
      result += Array(String(Character(scalar)).utf8)
      rest = rest[(end + 1)...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init)
  }
}

extension UInt8 {
  fileprivate var isNameByte: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self) || self == UInt8(ascii: "-")
  }
}
