internal import CProtobufC

/// The types of a contract that is known at run time only, as protobuf-c's descriptors. So JSON of services that this
/// program does not link is read and written by the same code, with the same bounds and errors, as all other JSON.
///
/// Descriptors are made once and never freed, like those that protoc-c writes.
package struct DynamicTypes: Sendable {
  private let types: [String: DynamicType]

  package init(_ schema: Schema) throws(CodecError) {
    var builder = DescriptorBuilder()
    try builder.build(schema)
    types = builder.types
  }

  /// The type of this full name.
  package subscript(name: String) -> DynamicType? { types[name] }
}

/// A type of message, for conversions between protobuf's binary form and JSON.
@safe package struct DynamicType: @unchecked Sendable {
  // `@unchecked` because the descriptor never changes once it is made.
  let descriptor: UnsafePointer<ProtobufCMessageDescriptor>

  package var name: String { unsafe String(cString: descriptor.pointee.name) }

  /// Reads JSON and writes it in binary form.
  package func binary(
    fromJSON text: Span<UInt8>, _ options: JSONDecodingOptions = .standard
  ) throws(CodecError) -> [UInt8] {
    try unsafe JSONCodec.binary(fromJSON: text, descriptor, options)
  }

  /// Reads the binary form and writes JSON. Fields that the contract does not name are dropped.
  package func json(
    fromBinary bytes: Span<UInt8>, limits: DecodingLimits = .standard, _ options: JSONEncodingOptions = .standard
  ) throws(CodecError) -> [UInt8] {
    try unsafe JSONCodec.json(fromBinary: bytes, descriptor, limits, options)
  }
}

/// Makes descriptors of messages and the layout of their structs, the way protoc-c does.
@safe private struct DescriptorBuilder: ~Copyable {
  private var messages: [String: UnsafeMutablePointer<ProtobufCMessageDescriptor>] = unsafe [:]
  private var enums: [String: UnsafeMutablePointer<ProtobufCEnumDescriptor>] = unsafe [:]

  var types: [String: DynamicType] { unsafe messages.mapValues { unsafe DynamicType(descriptor: UnsafePointer($0)) } }

  mutating func build(_ schema: Schema) throws(CodecError) {
    for (name, type) in schema.enums { unsafe enums[name] = describe(type) }
    // All are allocated before any is described, since they refer to each other.
    let all = schema.messages
    for name in all.keys {
      let place = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
      unsafe place.initialize(to: ProtobufCMessageDescriptor())
      unsafe messages[name] = place
    }
    for (name, message) in all {
      guard let place = unsafe messages[name] else { continue }
      try unsafe describe(message, at: place)
    }
  }

  // MARK: - Enums

  private func describe(_ type: SchemaEnum) -> UnsafeMutablePointer<ProtobufCEnumDescriptor> {
    // Of several names for one number, the first is written.
    var numbers: [Int32] = []
    for value in type.values where !numbers.contains(value.number) { numbers.append(value.number) }
    numbers.sort()
    let values = UnsafeMutablePointer<ProtobufCEnumValue>.allocate(capacity: numbers.count)
    for (place, number) in numbers.enumerated() {
      let name = unsafe text(type.values.first { $0.number == number }?.name ?? "")
      unsafe (values + place).initialize(to: ProtobufCEnumValue(name: name, c_name: name, value: number))
    }
    let named = type.values.sorted { bytewise($0.name, $1.name) }
    let byName = UnsafeMutablePointer<ProtobufCEnumValueIndex>.allocate(capacity: named.count)
    for (place, value) in named.enumerated() {
      unsafe (byName + place).initialize(
        to: ProtobufCEnumValueIndex(
          name: text(value.name), index: UInt32(numbers.firstIndex(of: value.number) ?? 0)))
    }
    let (ranges, count) = unsafe ranges(of: numbers)
    let descriptor = UnsafeMutablePointer<ProtobufCEnumDescriptor>.allocate(capacity: 1)
    var description = unsafe ProtobufCEnumDescriptor()
    unsafe description.magic = UInt32(PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC)
    unsafe description.name = text(type.name)
    unsafe description.short_name = description.name
    unsafe description.c_name = description.name
    unsafe description.package_name = text("")
    unsafe description.n_values = UInt32(numbers.count)
    unsafe description.values = UnsafePointer(values)
    unsafe description.n_value_names = UInt32(named.count)
    unsafe description.values_by_name = UnsafePointer(byName)
    unsafe description.n_value_ranges = count
    unsafe description.value_ranges = UnsafePointer(ranges)
    unsafe descriptor.initialize(to: description)
    return unsafe descriptor
  }

  // MARK: - Messages

  private func describe(
    _ message: SchemaMessage, at place: UnsafeMutablePointer<ProtobufCMessageDescriptor>
  ) throws(CodecError) {
    let fields = message.fields.sorted { $0.number < $1.number }
    let natives = UnsafeMutablePointer<ProtobufCFieldDescriptor>.allocate(capacity: max(1, fields.count))
    var layout = StructLayout(oneofs: message.oneofCount)
    for (index, field) in fields.enumerated() {
      unsafe (natives + index).initialize(to: try native(field, of: message, &layout))
    }
    let byName = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, fields.count))
    let order = fields.indices.sorted { bytewise(fields[$0].name, fields[$1].name) }
    for (index, field) in order.enumerated() { unsafe (byName + index).initialize(to: UInt32(field)) }
    let (ranges, count) = unsafe ranges(of: fields.map { Int32($0.number) })
    unsafe place.pointee.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
    unsafe place.pointee.name = text(message.name)
    unsafe place.pointee.short_name = place.pointee.name
    unsafe place.pointee.c_name = place.pointee.name
    unsafe place.pointee.package_name = text("")
    unsafe place.pointee.sizeof_message = layout.size
    unsafe place.pointee.n_fields = UInt32(fields.count)
    unsafe place.pointee.fields = UnsafePointer(natives)
    unsafe place.pointee.fields_sorted_by_name = UnsafePointer(byName)
    unsafe place.pointee.n_field_ranges = count
    unsafe place.pointee.field_ranges = UnsafePointer(ranges)
  }

  private func native(
    _ field: SchemaField, of message: SchemaMessage, _ layout: inout StructLayout
  ) throws(CodecError) -> ProtobufCFieldDescriptor {
    var native = unsafe ProtobufCFieldDescriptor()
    unsafe native.name = text(field.name)
    unsafe native.id = UInt32(truncatingIfNeeded: field.number)
    unsafe native.label = field.isRepeated ? PROTOBUF_C_LABEL_REPEATED : PROTOBUF_C_LABEL_NONE
    unsafe native.type = field.kind.native
    let place = layout.place(field)
    unsafe native.quantifier_offset = UInt32(place.quantifier)
    unsafe native.offset = UInt32(place.value)
    if field.oneof != nil { unsafe native.flags |= UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) }
    if field.isRepeated, field.isPacked ?? field.kind.isPackable {
      unsafe native.flags |= UInt32(PROTOBUF_C_FIELD_FLAG_PACKED.rawValue)
    }
    switch field.kind {
    case .message:
      guard let type = unsafe messages[field.typeName] else { throw missing(field, in: message) }
      unsafe native.descriptor = UnsafeRawPointer(type)
    case .enum:
      guard let type = unsafe enums[field.typeName] else { throw missing(field, in: message) }
      unsafe native.descriptor = UnsafeRawPointer(type)
    default: break
    }
    return unsafe native
  }

  private func missing(_ field: SchemaField, in message: SchemaMessage) -> CodecError {
    CodecError(
      code: .malformed, message: "\(message.name).\(field.name) is of a type that is not there: \(field.typeName)")
  }

  // MARK: - Parts

  /// The runs of consecutive numbers, in which protobuf-c does a binary search. The last one only marks the end.
  private func ranges(of numbers: [Int32]) -> (UnsafeMutablePointer<ProtobufCIntRange>, UInt32) {
    var runs: [ProtobufCIntRange] = []
    for (index, number) in numbers.enumerated() where index == 0 || number != numbers[index - 1] + 1 {
      runs.append(ProtobufCIntRange(start_value: number, orig_index: UInt32(index)))
    }
    let count = UInt32(runs.count)
    runs.append(ProtobufCIntRange(start_value: 0, orig_index: UInt32(numbers.count)))
    let memory = UnsafeMutablePointer<ProtobufCIntRange>.allocate(capacity: runs.count)
    for (index, run) in runs.enumerated() { unsafe (memory + index).initialize(to: run) }
    return unsafe (memory, count)
  }

  /// The text, terminated by NUL.
  private func text(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe (memory + index).initialize(to: byte) }
    return unsafe UnsafePointer(memory)
  }

  /// The order of strcmp, by which protobuf-c does a binary search of names.
  private func bytewise(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

/// The places of a message's fields in its struct, after protobuf-c's own part.
private struct StructLayout {
  private(set) var size = unsafe MemoryLayout<ProtobufCMessage>.size.roundedUp
  /// For each oneof, the place of the number of the field that is set, and that of its value.
  private var oneofs: [(quantifier: Int, value: Int)?]

  /// Enough for every single value: the widest has a length and an address.
  private static let widest = 16

  init(oneofs: Int) {
    self.oneofs = Array(repeating: nil, count: oneofs)
  }

  mutating func place(_ field: SchemaField) -> (quantifier: Int, value: Int) {
    if let oneof = field.oneof, oneofs.indices.contains(oneof) {
      if let known = oneofs[oneof] { return known }
      let place = (quantifier: take(8), value: take(Self.widest))
      oneofs[oneof] = place
      return place
    }
    if field.isRepeated { return (quantifier: take(8), value: take(8)) }
    return (quantifier: 0, value: take(field.kind == .bytes ? Self.widest : 8))
  }

  private mutating func take(_ count: Int) -> Int {
    defer { size += count }
    return size
  }
}

extension Int {
  fileprivate var roundedUp: Int { (self + 7) & ~7 }
}

extension SchemaField.Kind {
  fileprivate var native: ProtobufCType {
    switch self {
    case .double: PROTOBUF_C_TYPE_DOUBLE
    case .float: PROTOBUF_C_TYPE_FLOAT
    case .int64: PROTOBUF_C_TYPE_INT64
    case .uint64: PROTOBUF_C_TYPE_UINT64
    case .int32: PROTOBUF_C_TYPE_INT32
    case .fixed64: PROTOBUF_C_TYPE_FIXED64
    case .fixed32: PROTOBUF_C_TYPE_FIXED32
    case .bool: PROTOBUF_C_TYPE_BOOL
    case .string: PROTOBUF_C_TYPE_STRING
    case .message, .group: PROTOBUF_C_TYPE_MESSAGE
    case .bytes: PROTOBUF_C_TYPE_BYTES
    case .uint32: PROTOBUF_C_TYPE_UINT32
    case .enum: PROTOBUF_C_TYPE_ENUM
    case .sfixed32: PROTOBUF_C_TYPE_SFIXED32
    case .sfixed64: PROTOBUF_C_TYPE_SFIXED64
    case .sint32: PROTOBUF_C_TYPE_SINT32
    case .sint64: PROTOBUF_C_TYPE_SINT64
    }
  }

  fileprivate var isPackable: Bool {
    switch self {
    case .string, .bytes, .message, .group: false
    default: true
    }
  }
}
