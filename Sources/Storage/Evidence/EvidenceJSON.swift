internal import Base

/// JSON for evidence bundles. Reading is bounded, so that no input uses excessive memory or stack; writing always
/// yields the same text for the same value.
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
    case .text(let text): JSONText.quoted(text)
    case .list(let values): "[\(values.map(\.written).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(JSONText.quoted($0.name)):\($0.value.written)" }.joined(separator: ","))}"
    }
  }

  /// Reads JSON with whole numbers only, no member twice in an object, and at most 32 levels.
  init(reading bytes: [UInt8]) throws(EvidenceProblem) {
    var parser = JSONParser(bytes, deepest: 32)
    do throws(JSONError) {
      self = try EvidenceJSON(&parser)
      try parser.expectEnd()
    } catch {
      throw EvidenceProblem(.format, at: "bundle", error.description)
    }
  }

  private init(_ parser: inout JSONParser) throws(JSONError) {
    switch parser.peek() {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      // By bytes: for Swift, texts that look the same are equal.
      var names: Set<[UInt8]> = []
      try parser.beginObject()
      while let name = try parser.nextName() {
        let isNew = names.insert(Array(name.utf8)).inserted
        guard isNew else { throw parser.failure("'\(name)' stands in an object once") }
        members.append(Member(name: name, value: try EvidenceJSON(&parser)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var values: [EvidenceJSON] = []
      try parser.beginArray()
      while try parser.nextElement() { values.append(try EvidenceJSON(&parser)) }
      self = .list(values)
    case UInt8(ascii: "\""): self = .text(try parser.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .flag(try parser.boolean())
    case UInt8(ascii: "n") where parser.takeNull(): self = .null
    default: self = .integer(try parser.integer())
    }
  }
}
