/// One property of a Swift value: a field, or a oneof with all its fields.
struct SwiftField {
  enum Shape {
    case single(FieldType)
    case repeated(FieldType)
    case map(FieldType, key: FieldType, value: FieldType)
    case oneof(OneofType, fields: [FieldType])
  }

  let shape: Shape
  /// The property's name, not escaped.
  let name: String
  /// The property's type in Swift, fully qualified.
  let type: String
  /// The property's value when nothing was set.
  let initial: String
  let comment: String

  /// The properties of a message in the order of its fields.
  static func all(of message: MessageType, in contract: Contract) throws(GeneratorError) -> [SwiftField] {
    var result: [SwiftField] = []
    var seenOneofs: Set<Int> = []
    for field in message.fields {
      if let index = field.oneofIndex {
        guard seenOneofs.insert(index).inserted else { continue }
        let members = message.fields.filter { $0.oneofIndex == index }
        result.append(
          SwiftField(
            message.oneofs[index], fields: members, of: message, type: try contract.swiftName(of: message.fullName)))
      } else {
        result.append(try SwiftField(field, in: contract))
      }
    }
    return result
  }

  private init(_ oneof: OneofType, fields: [FieldType], of message: MessageType, type owner: String) {
    shape = .oneof(oneof, fields: fields)
    name = SwiftNames.member(oneof.name)
    type = "\(owner).\(SwiftNames.oneofType(oneof.name))?"
    initial = "nil"
    comment = oneof.comment
  }

  private init(_ field: FieldType, in contract: Contract) throws(GeneratorError) {
    name = SwiftNames.member(field.name)
    comment = field.comment
    if let entry = try contract.mapEntry(of: field) {
      let (key, value) = (entry.fields[0], entry.fields[1])
      shape = .map(field, key: key, value: value)
      type = "[\(try Self.element(key, in: contract)): \(try Self.element(value, in: contract))]"
      initial = "[:]"
    } else if field.isRepeated {
      shape = .repeated(field)
      type = "[\(try Self.element(field, in: contract))]"
      initial = "[]"
    } else {
      shape = .single(field)
      let element = try Self.element(field, in: contract)
      type = field.kind == .message ? element + "?" : element
      initial = try Self.initial(of: field, in: contract)
    }
  }

  /// The type of one value of a field.
  static func element(_ field: FieldType, in contract: Contract) throws(GeneratorError) -> String {
    switch field.kind {
    case .double: "Double"
    case .float: "Float"
    case .int64, .sint64, .sfixed64: "Int64"
    case .uint64, .fixed64: "UInt64"
    case .int32, .sint32, .sfixed32: "Int32"
    case .uint32, .fixed32: "UInt32"
    case .bool: "Bool"
    case .string: "String"
    case .bytes: "[UInt8]"
    case .message, .enum: try contract.swiftName(of: field.typeName)
    case .group: throw GeneratorError("field \(field.name) is a group, which proto3 does not have")
    }
  }

  private static func initial(of field: FieldType, in contract: Contract) throws(GeneratorError) -> String {
    switch field.kind {
    case .string: return "\"\""
    case .bytes: return "[]"
    case .bool: return "false"
    case .message: return "nil"
    case .enum:
      guard case .enum(let type) = try contract.type(named: field.typeName).declaration, let first = type.values.first
      else { throw GeneratorError("field \(field.name) names an enum without values") }
      return "." + SwiftNames.escaped(SwiftNames.enumCase(first.name, of: type.name))
    default: return "0"
    }
  }
}
