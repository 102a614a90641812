/// Writes the conversions between the Swift values of one proto file and protobuf-c's structs.
struct ConversionOutput {
  let contract: Contract

  func source(of file: FileDescriptor) throws(GeneratorError) -> String {
    var out = SourceText()
    out.header(from: file)
    let module = ContractModule(ofPackage: file.package)
    out.line()
    out.line("internal import CProtobufC")
    out.line("public import \(module.cName)")
    if module.name != ContractModule.wire.name { out.line("public import Wire") }
    for other in contract.modules(usedBy: file) { out.line("internal import \(other.name)") }
    for message in file.messages { try write(message, to: &out) }
    return out.text
  }

  private func write(_ message: MessageType, to out: inout SourceText) throws(GeneratorError) {
    let fields = try SwiftField.all(of: message, in: contract)
    out.line()
    try out.block("extension \(try contract.swiftName(of: message.fullName)): @unsafe GeneratedMessage") {
      (out) throws(GeneratorError) in
      out.line("public typealias Native = \(CNames.type(message.fullName))")
      out.line()
      out.line(
        "public static let table = unsafe MessageTable(Native.self, \(CNames.function(message.fullName))__init)")
      for field in fields { writeEntryTable(field, to: &out) }
      out.line()
      let places = "_ native: UnsafePointer<Native>, into target: UnsafeMutablePointer<Self>"
      try out.block("public static func read(\(places))") { (out) throws(GeneratorError) in
        for field in fields { try writeReading(field, of: message, to: &out) }
      }
      out.line()
      let parameters = "native: UnsafeMutablePointer<Native>, arena: inout Arena"
      try out.block("public func fill(\(parameters))") { (out) throws(GeneratorError) in
        for field in fields { try writeFilling(field, of: message, to: &out) }
      }
      writeNumberLists(of: message, to: &out)
    }
    for nested in message.messages where !nested.isMapEntry { try write(nested, to: &out) }
  }

  private func writeEntryTable(_ field: SwiftField, to out: inout SourceText) {
    guard case .map(let map, _, _) = field.shape else { return }
    let initializer = "\(CNames.function(map.typeName))__init"
    out.line(
      "static let \(field.name)Entry = unsafe MessageTable(\(CNames.type(map.typeName)).self, \(initializer))")
  }

  // MARK: - From C

  /// Each property is initialised in its place: see `NativeMessage.read`.
  private func writeReading(
    _ field: SwiftField, of message: MessageType, to out: inout SourceText
  ) throws(GeneratorError) {
    let initialize = "unsafe target.pointer(to: \\.\(SwiftNames.escaped(field.name)))!.initialize"
    switch field.shape {
    case .single(let type):
      out.line("\(initialize)(to: \(try reading(type, from: member("native", type))))")
    case .repeated(let type):
      let (pointer, count) = (member("native", type), member("native", "n_" + type.name))
      out.line("\(initialize)(to: \(try readingList(type, pointer, count)))")
    case .map(let map, let key, let value):
      let (pointer, count) = (member("native", map), member("native", "n_" + map.name))
      out.list(
        open: "\(initialize)(to: FromNative.map(",
        [
          pointer, count,
          "key: { unsafe \(try reading(key, from: member("$0", key))) }",
          "value: { unsafe \(try readingMapValue(value)) }",
        ], close: "))")
    case .oneof(let oneof, let members):
      out.line("switch unsafe \(member("native", oneof.name + "_case")) {")
      for each in members {
        let name = SwiftNames.escaped(SwiftNames.member(each.name))
        let value = try reading(each, from: member("native", each))
        out.line("case \(oneofCase(each, of: message)):")
        if each.kind == .message {
          out.line("  \(initialize)(to: \(value).map { .\(name)($0) })")
        } else {
          out.line("  \(initialize)(to: .\(name)(\(value)))")
        }
      }
      out.line("default: \(initialize)(to: nil)")
      out.line("}")
    }
  }

  private func reading(_ field: FieldType, from source: String) throws(GeneratorError) -> String {
    switch field.kind {
    case .string: "FromNative.text(\(source))"
    case .bytes: "FromNative.bytes(\(source))"
    case .bool: "\(source) != 0"
    case .message: "FromNative.message(\(source), as: \(try contract.swiftName(of: field.typeName)).self)"
    case .enum:
      "\(try contract.swiftName(of: field.typeName))(number: Int32(truncatingIfNeeded: \(source).rawValue))"
    default: source
    }
  }

  private func readingMapValue(_ field: FieldType) throws(GeneratorError) -> String {
    let value = try reading(field, from: member("$0", field))
    return field.kind == .message ? "\(value) ?? .init()" : value
  }

  private func readingList(_ field: FieldType, _ pointer: String, _ count: String) throws(GeneratorError) -> String {
    switch field.kind {
    case .string: "FromNative.texts(\(pointer), \(count))"
    case .bytes: "FromNative.blobs(\(pointer), \(count))"
    case .bool: "FromNative.flags(\(pointer), \(count))"
    case .message: "FromNative.messages(\(pointer), \(count), as: \(try contract.swiftName(of: field.typeName)).self)"
    case .enum: "FromNative.kinds(\(pointer), \(count), as: \(try contract.swiftName(of: field.typeName)).self)"
    default: "FromNative.numbers(\(pointer), \(count))"
    }
  }

  // MARK: - To C

  private func writeFilling(
    _ field: SwiftField, of message: MessageType, to out: inout SourceText
  ) throws(GeneratorError) {
    let property = "self.\(SwiftNames.escaped(field.name))"
    switch field.shape {
    case .single(let type):
      out.line("unsafe \(member("native", type)) = \(filling(type, with: property))")
    case .repeated(let type):
      out.line("unsafe \(member("native", "n_" + type.name)) = \(property).count")
      out.line("unsafe \(member("native", type)) = \(fillingList(type, with: property))")
    case .map(let map, let key, let value):
      out.line("unsafe \(member("native", "n_" + map.name)) = \(property).count")
      let order = key.kind == .bool ? "{ !$0 && $1 }" : "<"
      out.line(
        "unsafe \(member("native", map)) = arena.map(\(property), by: \(order), Self.\(field.name)Entry, "
          + "as: \(CNames.type(map.typeName)).self) {")
      out.line("  entry, key, value, arena in")
      out.line("  unsafe \(member("entry", key)) = \(filling(key, with: "key"))")
      out.line("  unsafe \(member("entry", value)) = \(filling(value, with: "value"))")
      out.line("}")
    case .oneof(let oneof, let members):
      out.line("switch \(property) {")
      for each in members {
        out.line("case .\(SwiftNames.escaped(SwiftNames.member(each.name)))(let value):")
        out.line("  unsafe \(member("native", oneof.name + "_case")) = \(oneofCase(each, of: message))")
        out.line("  unsafe \(member("native", each)) = \(filling(each, with: "value"))")
      }
      out.line("case nil: break")
      out.line("}")
    }
  }

  private func filling(_ field: FieldType, with value: String) -> String {
    switch field.kind {
    case .string: "arena.text(\(value))"
    case .bytes: "arena.bytes(\(value))"
    case .bool: "\(value) ? 1 : 0"
    case .message: field.oneofIndex == nil ? "arena.message(\(value))" : "arena.present(\(value))"
    case .enum: ".init(rawValue: .init(truncatingIfNeeded: \(value).number))"
    default: value
    }
  }

  private func fillingList(_ field: FieldType, with value: String) -> String {
    switch field.kind {
    case .string: "arena.texts(\(value))"
    case .bytes: "arena.blobs(\(value))"
    case .bool: "arena.flags(\(value))"
    case .message: "arena.messages(\(value))"
    case .enum: "arena.kinds(\(value))"
    default: field.kind.width == nil ? "arena.numbers(\(value))" : "arena.fixedNumbers(\(value))"
    }
  }

  // MARK: - Lists of numbers

  /// Lists whose elements have a fixed width have the same bytes in memory and on the wire: see `NumberLists`.
  private func writeNumberLists(of message: MessageType, to out: inout SourceText) {
    let lists = message.fields.filter { $0.isRepeated && $0.kind.width != nil }
    guard !lists.isEmpty else { return }
    out.line()
    out.block("public var numberListSize: Int") { out in
      let sizes = lists.map { "\(property($0)).count * \($0.kind.width ?? 0)" }
      out.line(sizes.joined(separator: " + "))
    }
    out.line()
    out.line("public func withBorrowedNumbers(")
    out.line("  in native: UnsafeMutablePointer<Native>, _ body: () throws(CodecError) -> [UInt8]")
    out.block(") throws(CodecError) -> [UInt8]") { out in writeBorrowing(lists[...], to: &out) }
    out.line()
    out.block("public mutating func appendNumbers(_ bytes: UnsafeRawBufferPointer, toField number: UInt32)") { out in
      out.line("switch number {")
      for list in lists { out.line("case \(list.number): unsafe \(property(list)).append(memory: bytes)") }
      out.line("default: break")
      out.line("}")
    }
  }

  /// Writes one closure inside the other, so that no pointer outlives the list that it points to.
  private func writeBorrowing(_ lists: ArraySlice<FieldType>, to out: inout SourceText) {
    guard let list = lists.first else {
      out.line("return try body()")
      return
    }
    out.closure("return try unsafe \(property(list)).withUnsafeBufferPointer", "(list) throws(CodecError) -> [UInt8]") {
      out in
      out.line("unsafe \(member("native", list)) = UnsafeMutablePointer(mutating: list.baseAddress)")
      writeBorrowing(lists.dropFirst(), to: &out)
    }
  }

  // MARK: - Names

  private func property(_ field: FieldType) -> String { "self.\(SwiftNames.escaped(SwiftNames.member(field.name)))" }

  private func member(_ pointer: String, _ field: FieldType) -> String { member(pointer, field.name) }

  private func member(_ pointer: String, _ name: String) -> String { "\(pointer).pointee.\(CNames.member(name))" }

  private func oneofCase(_ field: FieldType, of message: MessageType) -> String {
    guard let index = field.oneofIndex else { return "" }
    let type = CNames.constant(message.fullName + "." + SwiftNames.oneofType(message.oneofs[index].name))
    return "\(type)_\(field.name.uppercased())"
  }
}
