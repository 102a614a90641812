/// The contract as the generator uses it: the proto files, sorted by name, and every type by its full name.
package struct Contract {
  /// A message or an enum that a field can name.
  package struct TypeReference: Equatable {
    package enum Declaration: Equatable {
      case message(MessageType)
      case `enum`(EnumType)
    }

    /// Such as `MixedMessage.Item`.
    package let swiftName: String
    package let declaration: Declaration
  }

  /// The files to generate from, without those that only carry options.
  package let files: [FileDescriptor]
  package let types: [String: TypeReference]

  /// Files that only declare options for other proto files. Nothing is generated from them.
  static let optionFiles: Set<String> = ["google/protobuf/descriptor.proto", "assent/options.proto"]

  /// Packages whose Swift values are written by hand: handlers never see the bus's own frames as messages.
  private static let handWrittenPackages: Set<String> = ["assent.bus.v1"]

  package init(_ set: DescriptorSet) throws(GeneratorError) {
    files = set.files.filter {
      !Self.optionFiles.contains($0.name) && !Self.handWrittenPackages.contains($0.package)
    }.sorted { $0.name < $1.name }
    var table = TypeTable()
    for file in files {
      for type in file.enums { try table.add(type, scope: "") }
      for type in file.messages { try table.add(type, scope: "") }
      for service in file.services { try table.add(service) }
    }
    types = table.types
  }

  /// The type that a field names.
  package func type(named name: String) throws(GeneratorError) -> TypeReference {
    guard let type = types[name] else { throw GeneratorError("the contract does not declare \(name)") }
    return type
  }

  package func swiftName(of name: String) throws(GeneratorError) -> String {
    try type(named: name).swiftName
  }

  /// The message that protoc makes for a map field, or nil for any other field.
  package func mapEntry(of field: FieldType) throws(GeneratorError) -> MessageType? {
    guard field.kind == .message, field.isRepeated,
      case .message(let entry) = try type(named: field.typeName).declaration,
      entry.isMapEntry
    else { return nil }
    return entry
  }
}

/// Collects the types of all files and refuses two with the same Swift name.
private struct TypeTable {
  var types: [String: Contract.TypeReference] = [:]
  private var fullNameBySwiftName: [String: String] = [:]

  mutating func add(_ type: EnumType, scope: String) throws(GeneratorError) {
    try add(type.fullName, name: type.name, scope: scope, declaration: .enum(type))
  }

  mutating func add(_ type: MessageType, scope: String) throws(GeneratorError) {
    let swiftName = try add(type.fullName, name: type.name, scope: scope, declaration: .message(type))
    for nested in type.enums { try add(nested, scope: swiftName) }
    for nested in type.messages { try add(nested, scope: swiftName) }
    for oneof in type.oneofs { try claim("\(swiftName).\(SwiftNames.oneofType(oneof.name))", for: type.fullName) }
  }

  mutating func add(_ service: ServiceType) throws(GeneratorError) {
    for suffix in ["Methods", "Protocol", "Client"] { try claim(service.name + suffix, for: service.fullName) }
  }

  @discardableResult
  private mutating func add(
    _ fullName: String, name: String, scope: String, declaration: Contract.TypeReference.Declaration
  ) throws(GeneratorError) -> String {
    let own = Self.renamed[fullName] ?? name
    guard !Self.impossible.contains(own) else {
      throw GeneratorError("\(fullName): Swift keeps the name '\(own)' for itself; choose another")
    }
    let swiftName = scope.isEmpty ? own : "\(scope).\(own)"
    try claim(swiftName, for: fullName)
    types[fullName] = Contract.TypeReference(swiftName: swiftName, declaration: declaration)
    return swiftName
  }

  private mutating func claim(_ swiftName: String, for fullName: String) throws(GeneratorError) {
    if let other = fullNameBySwiftName.updateValue(fullName, forKey: swiftName) {
      throw GeneratorError("\(fullName) and \(other) would both be '\(swiftName)' in Swift; rename one of them")
    }
  }

  /// Types that have another name in Swift. Swift has a Duration of its own, which handlers use all the time.
  private static let renamed = ["google.protobuf.Duration": "ProtobufDuration"]

  private static let impossible: Set<String> = [
    "Type", "Protocol", "Self", "Any", "Optional", "String", "Array", "Int",
  ]
}
