internal import CProtobufC
internal import Glibc
internal import Synchronization

/// What the JSON codec knows about a type of message, from protobuf-c's descriptor. Plans are made once and never
/// freed.
@safe final class JSONPlan: @unchecked Sendable {
  /// How a message is written in JSON: as an object or in a form of its own.
  enum Kind {
    case ordinary, timestamp, duration
  }

  let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  let name: String
  let kind: Kind
  /// Set once, after the plan is registered but before any other code sees it, since a type may contain itself.
  private(set) var fields: [JSONField] = []
  /// The index of each field by both spellings of its name.
  private var indexByName: [String: Int] = [:]

  private init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
    unsafe self.descriptor = descriptor
    name = unsafe String(cString: descriptor.pointee.name)
    kind =
      switch name {
      case "google.protobuf.Timestamp": .timestamp
      case "google.protobuf.Duration": .duration
      default: .ordinary
      }
  }

  /// The index of a field by either spelling of its name, which is looked for from `place` on first: most senders write
  /// fields in the contract's order, and leave some out.
  func index(of name: UnsafeBufferPointer<UInt8>, after place: Int) -> Int? {
    for index in place..<fields.count where unsafe fields[index].isCalled(name) { return index }
    return unsafe indexByName[String(decoding: name, as: UTF8.self)]
  }

  // MARK: - All plans

  @safe private struct Registry: @unchecked Sendable {
    var plans: [UnsafePointer<ProtobufCMessageDescriptor>: JSONPlan] = unsafe [:]
  }

  private static let registry = Mutex(Registry())

  static func of(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> JSONPlan {
    registry.withLock { unsafe make(descriptor, &$0) }
  }

  private static func make(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ registry: inout Registry
  ) -> JSONPlan {
    if let known = unsafe registry.plans[descriptor] { return known }
    let plan = unsafe JSONPlan(descriptor)
    unsafe registry.plans[descriptor] = plan
    for index in unsafe 0..<Int(descriptor.pointee.n_fields) {
      guard let native = unsafe descriptor.pointee.fields.map({ unsafe $0 + index }) else { continue }
      var child: JSONPlan?
      if unsafe native.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let inner = unsafe native.pointee.descriptor {
        child = unsafe make(inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), &registry)
      }
      let field = unsafe JSONField(native, child: child, owner: plan.name)
      plan.indexByName[field.name] = index
      plan.indexByName[field.protoName] = index
      plan.fields.append(field)
    }
    return plan
  }
}

/// What the JSON codec knows about a field.
@safe final class JSONField {
  let native: UnsafePointer<ProtobufCFieldDescriptor>
  /// In lowerCamelCase.
  let name: String
  /// As in the proto file.
  let protoName: String
  /// The member's name in quotes, with the colon.
  let key: [UInt8]
  let type: ProtobufCType
  let isRepeated: Bool
  let isOneof: Bool
  /// The plan of the field's message, or of the entry if it is a map.
  let child: JSONPlan?
  /// Whether the elements are entries of a map.
  let isMap: Bool
  let offset: Int
  let quantifierOffset: Int
  /// The size of one element in a repeated field's memory.
  let elementSize: Int

  init(_ native: UnsafePointer<ProtobufCFieldDescriptor>, child: JSONPlan?, owner: String) {
    unsafe self.native = native
    self.child = child
    protoName = unsafe String(cString: native.pointee.name)
    name = Self.lowerCamel(protoName)
    key = Array("\"\(name)\":".utf8)
    unsafe type = native.pointee.type
    isRepeated = unsafe native.pointee.label == PROTOBUF_C_LABEL_REPEATED
    isOneof = unsafe native.pointee.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0
    // protobuf-c's descriptors do not mark the entries of maps, but protoc names them so; the generator refuses any
    // other message with such a name.
    isMap = isRepeated && child?.name == "\(owner).\(Self.upperCamel(protoName))Entry"
    offset = unsafe Int(native.pointee.offset)
    quantifierOffset = unsafe Int(native.pointee.quantifier_offset)
    elementSize = Self.size(of: type)
  }

  /// Whether this is the field's name in lowerCamelCase.
  func isCalled(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // The key has quotes and a colon besides.
    guard text.count == key.count - 3 else { return false }
    return unsafe key.withUnsafeBytes { own in
      guard let own = own.baseAddress, let start = text.baseAddress else { return false }
      return unsafe memcmp(own + 1, start, text.count) == 0
    }
  }

  var enumeration: UnsafePointer<ProtobufCEnumDescriptor>? {
    unsafe native.pointee.descriptor?.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
  }

  private static func size(of type: ProtobufCType) -> Int {
    switch type {
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_FIXED64,
      PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_MESSAGE:
      8
    case PROTOBUF_C_TYPE_BYTES: unsafe MemoryLayout<ProtobufCBinaryData>.stride
    default: 4
    }
  }

  private static func lowerCamel(_ name: String) -> String {
    camel(name, capitalised: false)
  }

  private static func upperCamel(_ name: String) -> String {
    camel(name, capitalised: true)
  }

  /// protoc's own rule: an underscore is removed and the letter after it capitalised.
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
