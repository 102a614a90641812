internal import Base

/// A JSON value, read strictly and within bounds: tokens and key sets come from strangers.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// nil unless `bytes` are one JSON value of at most `limit` bytes, nested at most eight deep, with no member twice.
  public init?(_ bytes: [UInt8], limit: Int = 64 << 10) {
    guard bytes.count <= limit else { return nil }
    var parser = JSONParser(bytes, deepest: 8)
    do throws(JSONError) {
      self = try JSONValue(&parser)
      try parser.expectEnd()
    } catch {
      return nil
    }
  }

  private init(_ parser: inout JSONParser) throws(JSONError) {
    switch parser.peek() {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      try parser.beginObject()
      while let name = try parser.nextName() {
        guard members.updateValue(try JSONValue(&parser), forKey: name) == nil else {
          throw parser.failure("'\(name)' stands in an object once")
        }
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try parser.beginArray()
      while try parser.nextElement() { values.append(try JSONValue(&parser)) }
      self = .array(values)
    case UInt8(ascii: "\""): self = .string(try parser.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try parser.boolean())
    case UInt8(ascii: "n") where parser.takeNull(): self = .null
    default:
      let number = try parser.number()
      guard number.isFinite else { throw parser.failure("a number fits a double") }
      self = .number(number)
    }
  }

  public subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }
}
