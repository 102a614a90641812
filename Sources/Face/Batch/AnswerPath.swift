internal import Base
internal import RPC
internal import ServiceKit
internal import Wire

/// Where a value stands in the JSON of an answer.
struct AnswerPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// A member of an object, by its name in JSON.
    case member(String)
    /// An element of a list, counted from 0.
    case element(Int)
  }

  private(set) var steps: [Step] = []
  /// What the value is if the answer's JSON omits the field, as it does for fields that have their default; nil for
  /// fields that can be absent.
  private(set) var whenLeftOut: [UInt8]?

  /// What the words that were followed so far lead to.
  private enum Place {
    case message(SchemaMessage)
    case list(of: SchemaField)
    case map(of: SchemaField)
    case single
  }

  /// Follows words such as `["session", "session_id"]` through a type of message.
  ///
  /// - Parameter shown: the whole reference, for errors.
  init(_ words: [Substring], in type: String, of catalogue: Catalogue, shown: String) throws(Status) {
    var place = Self.place(ofMessage: type, catalogue)
    for word in words {
      switch place {
      case .message(let message):
        guard let field = message.fields.first(where: { $0.name == word || $0.jsonName == word }) else {
          let meant = nearestName(to: String(word), among: message.fields.map(\.name))
          throw Self.fault(
            "'\(shown)': \(message.name) has no field '\(word.shortened(to: 120))'"
              + (meant.map { "; did you mean '\($0)'?" } ?? ""))
        }
        steps.append(.member(field.jsonName))
        (place, whenLeftOut) = Self.place(of: field, catalogue)
      case .list(let field):
        guard let index = Int(word), (0..<Self.mostElements).contains(index) else {
          throw Self.fault("'\(shown)': '\(field.name)' is a list, so '\(word)' must be a place in it, counted from 0")
        }
        steps.append(.element(index))
        place = Self.place(ofElement: field, catalogue)
        whenLeftOut = nil
      case .map(let value):
        steps.append(.member(String(word)))
        place = Self.place(ofElement: value, catalogue)
        whenLeftOut = nil
      case .single: throw Self.fault("'\(shown)': there is nothing inside the value before '\(word)'")
      }
    }
  }

  private static let mostElements = 10_000_000

  private static func place(of field: SchemaField, _ catalogue: Catalogue) -> (Place, [UInt8]?) {
    if let entry = field.mapEntry(catalogue.messages) { return (.map(of: entry.value), Array("{}".utf8)) }
    if field.isRepeated { return (.list(of: field), Array("[]".utf8)) }
    return (place(ofElement: field, catalogue), field.oneof == nil ? defaultValue(of: field, catalogue) : nil)
  }

  private static func place(ofElement field: SchemaField, _ catalogue: Catalogue) -> Place {
    field.kind == .message ? place(ofMessage: field.typeName, catalogue) : .single
  }

  private static func place(ofMessage name: String, _ catalogue: Catalogue) -> Place {
    // Protobuf's own types, such as a time, are one value in JSON.
    guard !name.hasPrefix("google.protobuf."), let message = catalogue.messages[name] else { return .single }
    return .message(message)
  }

  private static func defaultValue(of field: SchemaField, _ catalogue: Catalogue) -> [UInt8]? {
    switch field.kind {
    case .message, .group: nil
    case .string, .bytes: Array("\"\"".utf8)
    case .bool: Array("false".utf8)
    case .int64, .uint64, .sint64, .fixed64, .sfixed64: Array("\"0\"".utf8)
    case .enum:
      (catalogue.enums[field.typeName]?.values.first { $0.number == 0 }).map { Array("\"\($0.name)\"".utf8) }
    case .double, .float, .int32, .uint32, .sint32, .fixed32, .sfixed32: [UInt8(ascii: "0")]
    }
  }

  static func fault(_ text: String) -> Status { Status(.invalidArgument, rule: "bad_reference", text) }
}
