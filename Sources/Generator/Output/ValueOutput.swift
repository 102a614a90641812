/// Writes the Swift code that handlers and callers use of one proto file: values, services and their clients.
struct ValueOutput {
  let contract: Contract

  func source(of file: FileDescriptor) throws(GeneratorError) -> String {
    var out = SourceText()
    out.header(from: file)
    writeImports(of: file, to: &out)
    for type in file.enums {
      out.line()
      try write(type, to: &out)
    }
    for type in file.messages {
      out.line()
      try write(type, to: &out)
      try SecretOutput(contract: contract).write(type, to: &out)
    }
    for service in file.services {
      out.line()
      try ServiceOutput(contract: contract).write(service, to: &out)
    }
    return out.text
  }

  /// Modules whose types are in the file's public declarations are imported publicly, all others internally.
  private func writeImports(of file: FileDescriptor, to out: inout SourceText) {
    let own = ContractModule(ofPackage: file.package)
    guard own.name != ContractModule.wire.name else { return }
    let hasTypes = !file.messages.isEmpty || !file.enums.isEmpty
    out.line()
    if !file.services.isEmpty { out.line("public import RPC") }
    out.line("\(hasTypes ? "public" : "internal") import Wire")
    for other in contract.modules(usedBy: file) { out.line("public import \(other.name)") }
  }

  // MARK: - Messages

  private func write(_ message: MessageType, to out: inout SourceText) throws(GeneratorError) {
    let fields = try SwiftField.all(of: message, in: contract)
    out.documentation(message.comment)
    try out.block("public struct \(try localName(of: message.fullName)): Message") { (out) throws(GeneratorError) in
      out.line("public static var messageName: String { \"\(message.fullName)\" }")
      if !fields.isEmpty { out.line() }
      for field in fields {
        out.documentation(field.comment)
        out.line("public var \(SwiftNames.escaped(field.name)): \(field.type)")
      }
      out.line()
      writeInitializers(of: fields, to: &out)
      for field in fields { try writeOneof(field, to: &out) }
      for type in message.enums {
        out.line()
        try write(type, to: &out)
      }
      for type in message.messages where !type.isMapEntry {
        out.line()
        try write(type, to: &out)
      }
    }
  }

  private func writeInitializers(of fields: [SwiftField], to out: inout SourceText) {
    guard let first = fields.first else {
      out.line("public init() {}")
      return
    }
    // `Message` wants one without parameters, which Swift does not find in one whose parameters can all be left out.
    out.line("public init() { self.init(\(SwiftNames.escaped(first.name)): \(first.initial)) }")
    out.line()
    let parameters = fields.map { "\(SwiftNames.escaped($0.name)): \($0.type) = \($0.initial)" }
    out.list(open: "public init(", parameters, close: ") {")
    for field in fields { out.line("  self.\(SwiftNames.escaped(field.name)) = \(SwiftNames.escaped(field.name))") }
    out.line("}")
  }

  private func writeOneof(_ field: SwiftField, to out: inout SourceText) throws(GeneratorError) {
    guard case .oneof(let oneof, let members) = field.shape else { return }
    out.line()
    out.documentation(oneof.comment)
    // An enum that contains messages cannot be hashable, because generated messages are not: see `GeneratedMessage`.
    let traits = members.contains { $0.kind == .message } ? "Sendable" : "Hashable, Sendable"
    try out.block("public enum \(SwiftNames.oneofType(oneof.name)): \(traits)") { (out) throws(GeneratorError) in
      for member in members {
        out.documentation(member.comment)
        let name = SwiftNames.escaped(SwiftNames.member(member.name))
        out.line("case \(name)(\(try SwiftField.element(member, in: contract)))")
      }
    }
  }

  // MARK: - Enums

  private func write(_ type: EnumType, to out: inout SourceText) throws(GeneratorError) {
    guard !type.allowsAlias else {
      throw GeneratorError("\(type.fullName): an enum may not have two names for a number")
    }
    let cases = type.values.map { (name: SwiftNames.escaped(SwiftNames.enumCase($0.name, of: type.name)), value: $0) }
    out.documentation(type.comment)
    let name = try localName(of: type.fullName)
    out.block("public enum \(name): MessageEnum") { out in
      for (name, value) in cases {
        out.documentation(value.comment)
        out.line("case \(name)")
      }
      out.line("/// A number that this version of the contract has no name for.")
      out.line("case unrecognized(Int32)")
      out.line()
      out.line("public static let allCases: [Self] = [\(cases.map { "." + $0.name }.joined(separator: ", "))]")
      out.line()
      out.block("public init(number: Int32)") { out in
        out.line("switch number {")
        for (name, value) in cases { out.line("case \(value.number): self = .\(name)") }
        out.line("default: self = .unrecognized(number)")
        out.line("}")
      }
      out.line()
      out.block("public var number: Int32") { out in
        out.line("switch self {")
        for (name, value) in cases { out.line("case .\(name): \(value.number)") }
        out.line("case .unrecognized(let number): number")
        out.line("}")
      }
    }
  }

  private func localName(of fullName: String) throws(GeneratorError) -> Substring {
    let name = try contract.swiftName(of: fullName)
    return name.split(separator: ".").last ?? name[...]
  }
}

extension SourceText {
  /// The head of every generated file.
  mutating func header(from file: FileDescriptor) {
    line("// swift-format-ignore-file")
    line("// Generated by scripts/generate from proto/\(file.name): edit that file, never this one.")
  }
}
