internal import CProtobufC

/// Finds the field that holds a text, for the path of an error.
enum NativeSearch {
  /// The path of the field that points to `text`, such as `items[2].title`.
  static func path(of text: UnsafeRawPointer, in message: UnsafePointer<ProtobufCMessage>) -> String? {
    guard let descriptor = unsafe message.pointee.descriptor else { return nil }
    let native = unsafe UnsafeRawPointer(message)
    for index in unsafe 0..<Int(descriptor.pointee.n_fields) {
      guard let field = unsafe descriptor.pointee.fields.map({ unsafe $0 + index }) else { continue }
      let type = unsafe field.pointee.type
      let isText = type == PROTOBUF_C_TYPE_STRING
      guard isText || type == PROTOBUF_C_TYPE_MESSAGE else { continue }
      for target in unsafe targets(of: field, in: native) {
        if isText, unsafe target.pointer == text { return target.step }
        guard !isText else { continue }
        let inner = unsafe target.pointer.assumingMemoryBound(to: ProtobufCMessage.self)
        if let rest = unsafe path(of: text, in: inner) { return "\(target.step).\(rest)" }
      }
    }
    return nil
  }

  /// What a pointer in a field points to, with its step in the path.
  @safe private struct Target {
    let pointer: UnsafeRawPointer
    let step: String
  }

  private static func targets(
    of field: UnsafePointer<ProtobufCFieldDescriptor>, in native: UnsafeRawPointer
  ) -> [Target] {
    let name = unsafe String(cString: field.pointee.name)
    let (offset, quantifier) = unsafe (Int(field.pointee.offset), Int(field.pointee.quantifier_offset))
    if unsafe field.pointee.label == PROTOBUF_C_LABEL_REPEATED {
      let count = unsafe native.load(fromByteOffset: quantifier, as: Int.self)
      guard let list = unsafe native.load(fromByteOffset: offset, as: UnsafePointer<UnsafeRawPointer?>?.self) else {
        return []
      }
      return (0..<count).compactMap { index in
        unsafe list[index].map { unsafe Target(pointer: $0, step: "\(name)[\(index)]") }
      }
    }
    if unsafe field.pointee.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0,
      unsafe native.load(fromByteOffset: quantifier, as: UInt32.self) != field.pointee.id
    {
      return []
    }
    return unsafe native.load(fromByteOffset: offset, as: UnsafeRawPointer?.self).map {
      unsafe [Target(pointer: $0, step: name)]
    } ?? []
  }
}
