/// Rules for proto/ beyond those of protoc. docs/contract.md says why.
package enum ContractRules {
  /// Every violation of a rule, as sentences that begin with the full name of the declaration.
  package static func violations(in set: DescriptorSet) -> [String] {
    let own = set.files.filter { !$0.name.hasPrefix("google/") }
    return own.flatMap(violations(in:)) + ErrorRules.violations(in: own)
      + recursions(in: set.files.filter { !Contract.optionFiles.contains($0.name) })
  }

  private static func violations(in file: FileDescriptor) -> [String] {
    var found: [String] = []
    if file.syntax != "proto3" { found.append("\(file.name): is \(file.syntax), not proto3") }
    found += file.enums.flatMap(violations(in:))
    found += file.messages.flatMap { violations(in: $0) }
    found += file.services.flatMap(violations(in:))
    for field in file.extensions where field.comment.isEmpty { found.append("\(field.name): has no comment") }
    return found
  }

  private static func violations(in type: EnumType) -> [String] {
    var found = type.comment.isEmpty ? ["\(type.fullName): has no comment"] : []
    if type.values.first?.number != 0 { found.append("\(type.fullName): its first value is not 0") }
    for value in type.values where value.comment.isEmpty {
      found.append("\(type.fullName).\(value.name): has no comment")
    }
    // gRPC's own contract is older than this rule.
    let isForeign = type.fullName.hasPrefix("grpc.")
    if let first = type.values.first, !isForeign, !first.name.hasSuffix("_UNSPECIFIED") {
      found.append("\(type.fullName): its first value is not called …_UNSPECIFIED")
    }
    return found
  }

  private static func violations(in message: MessageType) -> [String] {
    guard !message.isMapEntry else { return [] }
    var found = message.comment.isEmpty ? ["\(message.fullName): has no comment"] : []
    if message.extensionCount > 0 { found.append("\(message.fullName): declares extensions") }
    for field in message.fields {
      let name = "\(message.fullName).\(field.name)"
      if field.comment.isEmpty { found.append("\(name): has no comment") }
      if field.isProto3Optional { found.append("\(name): is optional, which protoc-c refuses") }
      if field.kind == .group { found.append("\(name): is a group") }
      if !field.jsonName.isEmpty, field.jsonName != JSONNames.lowerCamel(field.name) {
        found.append("\(name): has a json_name of its own, which the codec would not know")
      }
      if field.isSecret, field.kind != .string || field.isRepeated || field.oneofIndex != nil {
        found.append("\(name): is secret and no single text outside of a oneof")
      }
      if field.name.hasSuffix("_ms"), [.int64, .uint64, .sint64, .fixed64, .sfixed64].contains(field.kind) {
        found.append("\(name): is a time that JSON carries as text; use Timestamp or Duration")
      }
      if looksLikeMap(field, of: message) { found.append("\(name): looks like a map to the JSON codec") }
    }
    for oneof in message.oneofs where oneof.comment.isEmpty {
      found.append("\(message.fullName).\(oneof.name): has no comment")
    }
    return found + message.enums.flatMap(violations(in:)) + message.messages.flatMap { violations(in: $0) }
  }

  /// The JSON codec recognises a map by the name of its entries: no other message may have such a name.
  private static func looksLikeMap(_ field: FieldType, of message: MessageType) -> Bool {
    guard field.isRepeated, field.kind == .message else { return false }
    let entry = "\(JSONNames.upperCamel(field.name))Entry"
    return message.messages.contains {
      !$0.isMapEntry && $0.name == entry && $0.fullName == field.typeName
    }
  }

  private static func violations(in service: ServiceType) -> [String] {
    var found = service.comment.isEmpty ? ["\(service.fullName): has no comment"] : []
    for method in service.methods {
      let name = "\(service.fullName).\(method.name)"
      if method.comment.isEmpty { found.append("\(name): has no comment") }
      if method.name.hasPrefix("Watch"), !method.serverStreams || method.idempotencyLevel != 1 {
        found.append("\(name): is named a watch, and is no stream of answers that changes nothing")
      }
    }
    return found + PermissionRules.violations(in: service)
  }

  // MARK: - Recursion

  /// protobuf-c follows nested messages without a bound, so no type may contain itself.
  private static func recursions(in files: [FileDescriptor]) -> [String] {
    var search = RecursionSearch()
    for file in files { for message in file.messages { search.learn(message) } }
    return search.run()
  }
}

/// Follows messages into the messages of their fields, and reports those that contain themselves.
private struct RecursionSearch {
  private var targets: [String: [String]] = [:]
  private var finished: Set<String> = []
  private var path: [String] = []
  private var found: [String] = []

  mutating func learn(_ message: MessageType) {
    targets[message.fullName] = message.fields.filter { $0.kind == .message }.map(\.typeName)
    for nested in message.messages { learn(nested) }
  }

  mutating func run() -> [String] {
    for name in targets.keys.sorted() { visit(name) }
    return found
  }

  private mutating func visit(_ name: String) {
    if let start = path.firstIndex(of: name) {
      found.append("\(name): contains itself, by way of \((path[start...] + [name]).joined(separator: " → "))")
      return
    }
    guard finished.insert(name).inserted else { return }
    path.append(name)
    for target in targets[name] ?? [] { visit(target) }
    path.removeLast()
  }
}

/// The names that protoc derives for JSON.
enum JSONNames {
  static func lowerCamel(_ name: String) -> String { camel(name, capitalised: false) }
  static func upperCamel(_ name: String) -> String { camel(name, capitalised: true) }

  private static func camel(_ name: String, capitalised: Bool) -> String {
    var result = ""
    var capitalises = capitalised
    for character in name {
      if character == "_" {
        capitalises = true
      } else {
        result += capitalises ? character.uppercased() : String(character)
        capitalises = false
      }
    }
    return result
  }
}
