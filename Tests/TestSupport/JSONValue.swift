internal import Base

/// A value of JSON, as tests read it from fixtures. A malformed fixture is a programming error.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  package init(parsing text: String) {
    var parser = JSONParser(Array(text.utf8), deepest: 64)
    do throws(JSONError) {
      self = try JSONValue(&parser)
      try parser.expectEnd()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private init(_ parser: inout JSONParser) throws(JSONError) {
    switch parser.peek() {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      try parser.beginObject()
      while let name = try parser.nextName() { members[name] = try JSONValue(&parser) }
      self = .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try parser.beginArray()
      while try parser.nextElement() { values.append(try JSONValue(&parser)) }
      self = .list(values)
    case UInt8(ascii: "\""): self = .text(try parser.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try parser.boolean())
    case UInt8(ascii: "n") where parser.takeNull(): self = .null
    default: self = .number(Int(try parser.integer()))
    }
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
