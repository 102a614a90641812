/// A value of JSON, as tests read it from fixtures. A malformed fixture is a programming error.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  package init(parsing text: String) {
    var reader = JSONValueReader(bytes: Array(text.utf8))
    self = reader.value()
    reader.skipBlanks()
    precondition(reader.place == reader.bytes.count, "something follows the value at byte \(reader.place)")
  }

  /// The member of an object; null when it has none of that name.
  package subscript(name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  package var list: [JSONValue] { if case .list(let values) = self { values } else { [] } }
  package var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var number: Int? { if case .number(let number) = self { number } else { nil } }
  package var flag: Bool { self == .bool(true) }
}

private struct JSONValueReader {
  let bytes: [UInt8]
  var place = 0

  mutating func value() -> JSONValue {
    skipBlanks()
    switch bytes[place] {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return .text(text())
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func object() -> JSONValue {
    place += 1
    var members: [String: JSONValue] = [:]
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      let name = text()
      precondition(take(":"), "a colon is missing at byte \(place)")
      members[name] = value()
    } while take(",")
    precondition(take("}"), "an object does not end at byte \(place)")
    return .object(members)
  }

  private mutating func list() -> JSONValue {
    place += 1
    var values: [JSONValue] = []
    if take("]") { return .list(values) }
    repeat { values.append(value()) } while take(",")
    precondition(take("]"), "a list does not end at byte \(place)")
    return .list(values)
  }

  private mutating func text() -> String {
    precondition(bytes[place] == UInt8(ascii: "\""), "no text begins at byte \(place)")
    place += 1
    var characters: [UInt8] = []
    while bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 1
        characters.append(escaped(bytes[place]))
      } else {
        characters.append(bytes[place])
      }
      place += 1
    }
    place += 1
    return String(decoding: characters, as: UTF8.self)
  }

  private func escaped(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    default: preconditionFailure("fixtures have no \\\(Character(Unicode.Scalar(letter)))")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue {
    precondition(bytes[place...].starts(with: word.utf8), "'\(word)' is misspelt at byte \(place)")
    place += word.utf8.count
    return value
  }

  private mutating func number() -> JSONValue {
    let start = place
    while place < bytes.count, bytes[place] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[place]) { place += 1 }
    guard let number = Int(String(decoding: bytes[start..<place], as: UTF8.self)) else {
      preconditionFailure("no value begins at byte \(start)")
    }
    return .number(number)
  }
}
