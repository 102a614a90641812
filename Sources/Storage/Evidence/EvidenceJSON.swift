/// JSON as evidence needs it: read with bounds, so that no input takes more than its share; written in one form.
enum EvidenceJSON: Hashable, Sendable {
  case null
  case flag(Bool)
  case integer(Int64)
  case text(String)
  case list([EvidenceJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    let name: String
    let value: EvidenceJSON
  }

  static func object(_ members: KeyValuePairs<String, EvidenceJSON>) -> EvidenceJSON {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  var written: String {
    switch self {
    case .null: "null"
    case .flag(let flag): String(flag)
    case .integer(let integer): String(integer)
    case .text(let text): Self.quote(text)
    case .list(let values): "[\(values.map(\.written).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quote($0.name)):\($0.value.written)" }.joined(separator: ","))}"
    }
  }

  static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// Reads JSON: whole numbers, no member twice, at most 32 deep.
struct EvidenceJSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private static let deepest = 32

  static func read(_ bytes: [UInt8]) throws(EvidenceProblem) -> EvidenceJSON {
    var reader = EvidenceJSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpaces()
    guard reader.place == bytes.count else { throw reader.refusal("something follows") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func refusal(_ detail: String) -> EvidenceProblem {
    EvidenceProblem(.format, at: "bundle", "at byte \(place): \(detail)")
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ byte: Character) -> Bool {
    guard peek() == byte.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(EvidenceProblem) -> EvidenceJSON {
    guard depth < Self.deepest else { throw refusal("more than \(Self.deepest) deep") }
    skipSpaces()
    switch peek() {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    default: return .integer(try integer())
    }
  }

  private mutating func word(_ word: String, _ value: EvidenceJSON) throws(EvidenceProblem) -> EvidenceJSON {
    guard bytes[place...].starts(with: word.utf8) else { throw refusal("no value") }
    place += word.utf8.count
    return value
  }

  private mutating func list(_ depth: Int) throws(EvidenceProblem) -> EvidenceJSON {
    place += 1
    var values: [EvidenceJSON] = []
    skipSpaces()
    if take("]") { return .list([]) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpaces()
    } while take(",")
    guard take("]") else { throw refusal("a list without end") }
    return .list(values)
  }

  private mutating func object(_ depth: Int) throws(EvidenceProblem) -> EvidenceJSON {
    place += 1
    var members: [EvidenceJSON.Member] = []
    var names: Set<String> = []
    skipSpaces()
    if take("}") { return .object([]) }
    repeat {
      skipSpaces()
      guard peek() == UInt8(ascii: "\"") else { throw refusal("a member without a name") }
      let name = try text()
      guard names.insert(name).inserted else { throw refusal("member '\(name)' stands there twice") }
      skipSpaces()
      guard take(":") else { throw refusal("a member without a value") }
      members.append(EvidenceJSON.Member(name: name, value: try value(depth: depth + 1)))
      skipSpaces()
    } while take(",")
    guard take("}") else { throw refusal("an object without end") }
    return .object(members)
  }

  private mutating func integer() throws(EvidenceProblem) -> Int64 {
    let digits = bytes[place...].prefix { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
    let text = String(decoding: digits, as: UTF8.self)
    guard let integer = Int64(text), String(integer) == text else { throw refusal("no value") }
    place += digits.count
    if let next = peek(), [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(next) {
      throw refusal("a number that is not whole")
    }
    return integer
  }

  private mutating func text() throws(EvidenceProblem) -> String {
    place += 1
    var content: [UInt8] = []
    while let byte = peek() {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else { throw refusal("a text that is not UTF-8") }
        return text
      case UInt8(ascii: "\\"): content += try escaped().utf8
      case 0..<0x20: throw refusal("a control character in a text")
      default: content.append(byte)
      }
    }
    throw refusal("a text without end")
  }

  private mutating func escaped() throws(EvidenceProblem) -> String {
    guard let byte = peek() else { throw refusal("a text without end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try unit()
      if let scalar = UnicodeScalar(first) { return String(Character(scalar)) }
      guard first < 0xDC00, take("\\"), take("u") else { throw refusal("half a character") }
      let second = try unit()
      guard (0xDC00..<0xE000).contains(second),
        let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      else { throw refusal("half a character") }
      return String(Character(scalar))
    default: throw refusal("an unknown escape")
    }
  }

  private mutating func unit() throws(EvidenceProblem) -> UInt32 {
    let digits = bytes[place...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let unit = UInt32(text, radix: 16)
    else { throw refusal("an escape without its digits") }
    place += 4
    return unit
  }
}
