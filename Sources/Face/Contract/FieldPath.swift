package import Wire

/// Finds a message's field by a path such as `copy.level`, without linking the contract.
package struct FieldPath: Sendable {
  /// The numbers of the fields on the path.
  private let numbers: [Int]

  /// - Parameter message: the full name of the message's type.
  package init(
    _ path: String, in message: String, _ messages: [String: SchemaMessage]
  ) throws(CodecError) {
    var numbers: [Int] = []
    var name = message
    for word in path.split(separator: ".") {
      guard let field = messages[name]?.fields.first(where: { $0.name == word }) else {
        throw CodecError(code: .malformed, message: "'\(path)' is no field of \(message)")
      }
      numbers.append(field.number)
      name = field.typeName
    }
    self.numbers = numbers
  }

  /// The last value of the field in its encoded form; nil where the field is absent.
  package func value(in message: [UInt8]) throws(CodecError) -> FieldReader.Value? {
    try Self.value(at: numbers[...], in: message[...])
  }

  private static func value(
    at path: ArraySlice<Int>, in message: ArraySlice<UInt8>
  ) throws(CodecError) -> FieldReader.Value? {
    var found: FieldReader.Value?
    var fields = FieldReader(message)
    while let (number, value) = try fields.next() { if number == path.first { found = value } }
    guard path.count > 1, let found else { return found }
    return try value(at: path.dropFirst(), in: found.bytes)
  }
}
