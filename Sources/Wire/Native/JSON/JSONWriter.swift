internal import Base
internal import CProtobufC
internal import CWire
internal import Glibc

/// Writes protobuf-c's structs as JSON, by their descriptors.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth = 0

  init(_ options: JSONEncodingOptions) {
    isIndented = options.isIndented
    bytes.reserveCapacity(1024)
  }

  mutating func message(_ native: UnsafeRawPointer, _ plan: JSONPlan) throws(CodecFault) {
    switch plan.kind {
    case .ordinary: try unsafe fields(native, plan)
    case .timestamp: try unsafe time(native, plan, TimeText.timestamp(seconds:nanos:))
    case .duration: try unsafe time(native, plan, TimeText.duration(seconds:nanos:))
    }
  }

  private mutating func fields(_ native: UnsafeRawPointer, _ plan: JSONPlan) throws(CodecFault) {
    open("{")
    var isFirst = true
    for field in plan.fields where unsafe isPresent(field, in: native) {
      separate(&isFirst)
      bytes += field.key
      if isIndented { bytes.append(UInt8(ascii: " ")) }
      do throws(CodecFault) {
        let member = unsafe native + field.offset
        if field.isMap {
          try unsafe map(native, field)
        } else if field.isRepeated {
          try unsafe list(native, field)
        } else {
          try unsafe value(member, field)
        }
      } catch {
        throw error.inside(field.name)
      }
    }
    close("}", isEmpty: isFirst)
  }

  private func isPresent(_ field: JSONField, in native: UnsafeRawPointer) -> Bool {
    if field.isOneof {
      return unsafe native.load(fromByteOffset: field.quantifierOffset, as: UInt32.self) == field.native.pointee.id
    }
    if field.isRepeated { return unsafe native.load(fromByteOffset: field.quantifierOffset, as: Int.self) > 0 }
    let member = unsafe native + field.offset
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      return unsafe member.load(as: UnsafePointer<CChar>?.self).map { unsafe $0.pointee != 0 } ?? false
    case PROTOBUF_C_TYPE_BYTES: return unsafe member.load(as: ProtobufCBinaryData.self).len > 0
    case PROTOBUF_C_TYPE_MESSAGE: return unsafe member.load(as: UnsafeRawPointer?.self) != nil
    case PROTOBUF_C_TYPE_FLOAT: return unsafe member.load(as: Float.self) != 0
    case PROTOBUF_C_TYPE_DOUBLE: return unsafe member.load(as: Double.self) != 0
    default:
      return field.elementSize == 8
        ? unsafe member.load(as: UInt64.self) != 0 : unsafe member.load(as: UInt32.self) != 0
    }
  }

  // MARK: - Lists and maps

  private mutating func list(_ native: UnsafeRawPointer, _ field: JSONField) throws(CodecFault) {
    let count = unsafe native.load(fromByteOffset: field.quantifierOffset, as: Int.self)
    guard let elements = unsafe native.load(fromByteOffset: field.offset, as: UnsafeRawPointer?.self) else { return }
    open("[")
    var isFirst = true
    for index in 0..<count {
      separate(&isFirst)
      do throws(CodecFault) {
        try unsafe value(elements + index * field.elementSize, field)
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    close("]", isEmpty: isFirst)
  }

  private mutating func map(_ native: UnsafeRawPointer, _ field: JSONField) throws(CodecFault) {
    let count = unsafe native.load(fromByteOffset: field.quantifierOffset, as: Int.self)
    guard let entries = unsafe native.load(fromByteOffset: field.offset, as: UnsafePointer<UnsafeRawPointer>?.self),
      let plan = field.child
    else { return }
    let (keyField, valueField) = (plan.fields[0], plan.fields[1])
    open("{")
    var isFirst = true
    for index in 0..<count {
      separate(&isFirst)
      let entry = unsafe entries[index]
      try unsafe key(entry + keyField.offset, keyField)
      bytes.append(UInt8(ascii: ":"))
      if isIndented { bytes.append(UInt8(ascii: " ")) }
      do throws(CodecFault) {
        try unsafe value(entry + valueField.offset, valueField)
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    close("}", isEmpty: isFirst)
  }

  /// Writes a map's key, which is a string whatever its type.
  private mutating func key(_ member: UnsafeRawPointer, _ field: JSONField) throws(CodecFault) {
    let isQuoted = field.type == PROTOBUF_C_TYPE_STRING || field.isQuotedNumber
    if !isQuoted { bytes.append(UInt8(ascii: "\"")) }
    try unsafe value(member, field)
    if !isQuoted { bytes.append(UInt8(ascii: "\"")) }
  }

  // MARK: - Single values

  private mutating func value(_ member: UnsafeRawPointer, _ field: JSONField) throws(CodecFault) {
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      guard let text = unsafe member.load(as: UnsafePointer<UInt8>?.self) else { return quoted("") }
      let length = unsafe strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
      unsafe string(Span(_unsafeStart: text, count: length))
    case PROTOBUF_C_TYPE_BYTES:
      let data = unsafe member.load(as: ProtobufCBinaryData.self)
      bytes.append(UInt8(ascii: "\""))
      if let start = unsafe data.data { unsafe Base64.append(Span(_unsafeStart: start, count: data.len), to: &bytes) }
      bytes.append(UInt8(ascii: "\""))
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let child = field.child else { return }
      if let inner = unsafe member.load(as: UnsafeRawPointer?.self) {
        try unsafe message(inner, child)
      } else {
        bytes += "{}".utf8
      }
    case PROTOBUF_C_TYPE_BOOL: bytes += (unsafe member.load(as: Int32.self) != 0 ? "true" : "false").utf8
    case PROTOBUF_C_TYPE_ENUM: unsafe enumeration(member.load(as: Int32.self), field)
    case PROTOBUF_C_TYPE_FLOAT:
      let number = unsafe member.load(as: Float.self)
      floatingPoint(number, number.description)
    case PROTOBUF_C_TYPE_DOUBLE:
      let number = unsafe member.load(as: Double.self)
      floatingPoint(number, number.description)
    default: unsafe integer(member, field)
    }
  }

  private mutating func integer(_ member: UnsafeRawPointer, _ field: JSONField) {
    let text = unsafe field.integerText(at: member)
    if field.isQuotedNumber { quoted(text) } else { bytes += text.utf8 }
  }

  private mutating func enumeration(_ number: Int32, _ field: JSONField) {
    if let value = unsafe protobuf_c_enum_descriptor_get_value(field.enumeration, number) {
      quoted(unsafe String(cString: value.pointee.name))
    } else {
      bytes += String(number).utf8
    }
  }

  private mutating func floatingPoint<Number: BinaryFloatingPoint>(_ number: Number, _ text: String) {
    if number.isFinite {
      bytes += text.utf8
    } else {
      quoted(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    }
  }

  private mutating func time(
    _ native: UnsafeRawPointer, _ plan: JSONPlan, _ format: (Int64, Int32) -> String?
  ) throws(CodecFault) {
    let seconds = unsafe native.load(fromByteOffset: plan.fields[0].offset, as: Int64.self)
    let nanos = unsafe native.load(fromByteOffset: plan.fields[1].offset, as: Int32.self)
    guard let text = format(seconds, nanos) else {
      throw CodecFault(.outOfRange, "\(seconds) s and \(nanos) ns are outside what \(plan.name) may say")
    }
    quoted(text)
  }

  // MARK: - Text

  /// Writes a string that needs no escapes.
  private mutating func quoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func string(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    // Mostly there is nothing to escape.
    var start = 0
    for index in text.indices where JSONText.isEscaped(text[index]) {
      append(text.extracting(start..<index))
      JSONText.append(text[index], to: &bytes)
      start = index + 1
    }
    append(text.extracting(start..<text.count))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  // MARK: - Layout

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    depth += 1
  }

  private mutating func separate(_ isFirst: inout Bool) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    if isIndented { newLine() }
  }

  private mutating func close(_ bracket: Unicode.Scalar, isEmpty: Bool) {
    depth -= 1
    if isIndented, !isEmpty { newLine() }
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes += "  ".utf8 }
  }
}

extension JSONField {
  /// The integer of this field's type that stands there.
  func integerText(at member: UnsafeRawPointer) -> String {
    switch type {
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
      String(unsafe member.load(as: Int32.self))
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: String(unsafe member.load(as: UInt32.self))
    case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64: String(unsafe member.load(as: UInt64.self))
    default: String(unsafe member.load(as: Int64.self))
    }
  }

  /// Whether the number is written as a string, because JavaScript's numbers do not hold 64 bits.
  var isQuotedNumber: Bool {
    switch type {
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_UINT64,
      PROTOBUF_C_TYPE_FIXED64:
      true
    default: false
    }
  }
}
