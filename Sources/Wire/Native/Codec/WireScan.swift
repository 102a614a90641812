internal import CProtobufC

/// Checks a message in protobuf's binary form before protobuf-c sees it.
///
/// protobuf-c gives no reason when it refuses, takes a truth value of any wire type, cuts texts at NUL, does not check
/// UTF-8 and has no bound on depth. The scan holds the input to all of that and names the field where something is wrong.
enum WireScan {
  static func check(
    _ start: UnsafePointer<UInt8>, count: Int, against plan: UnsafePointer<MessagePlan>, depth: Int
  ) throws(CodecError) {
    do throws(CodecFault) {
      try unsafe message(start, start + count, plan, depth)
    } catch {
      throw CodecError(error)
    }
  }

  private static func message(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ plan: UnsafePointer<MessagePlan>, _ depth: Int
  ) throws(CodecFault) {
    guard depth > 0 else { throw .tooDeep }
    var cursor = unsafe start
    while unsafe cursor < end {
      let tagStart = unsafe cursor
      let tag = try unsafe varint(&cursor, end)
      let number = UInt32(truncatingIfNeeded: tag >> 3)
      guard tag <= UInt64(UInt32.max), number > 0 else {
        throw CodecFault(.malformed, "a field has a number outside 1 … 536870911")
      }
      let field = unsafe plan.pointee.field(number)
      do throws(CodecFault) {
        try unsafe value(&cursor, end, wireType: UInt8(tag & 7), field, depth)
      } catch {
        throw unsafe error.inside(name(of: field, number, from: start, to: tagStart))
      }
    }
  }

  @inline(__always)
  private static func value(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, wireType: UInt8,
    _ field: UnsafePointer<FieldPlan>?, _ depth: Int
  ) throws(CodecFault) {
    switch wireType {
    case 0:
      if let field = unsafe field, unsafe field.pointee.form != .varint { throw unsafe wrongType(field, "a varint") }
      _ = try unsafe varint(&cursor, end)
    case 1:
      if let field = unsafe field, unsafe field.pointee.form != .fixed64 { throw unsafe wrongType(field, "8 bytes") }
      try unsafe skip(8, &cursor, end)
    case 5:
      if let field = unsafe field, unsafe field.pointee.form != .fixed32 { throw unsafe wrongType(field, "4 bytes") }
      try unsafe skip(4, &cursor, end)
    case 2:
      let length = try unsafe varint(&cursor, end)
      guard length <= UInt64(unsafe end - cursor) else { throw .truncated }
      let start = unsafe cursor
      unsafe cursor += Int(length)
      if let field = unsafe field { try unsafe content(start, cursor, field, depth) }
    case 3, 4:
      throw CodecFault(.malformed, "groups are not part of proto3")
    default:
      throw CodecFault(.malformed, "there is no wire type \(wireType)")
    }
  }

  /// What stands behind a length.
  @inline(__always)
  private static func content(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ field: UnsafePointer<FieldPlan>, _ depth: Int
  ) throws(CodecFault) {
    switch unsafe field.pointee.form {
    case .text:
      guard unsafe UTF8Check.isText(start, end - start) else {
        throw CodecFault(.invalidText, "text must be UTF-8 without NUL")
      }
    case .blob, .absent: break
    case .message:
      guard let child = unsafe field.pointee.child else { return }
      try unsafe message(start, end, child, depth - 1)
    case .varint, .fixed32, .fixed64:
      guard unsafe field.pointee.isRepeated else { throw unsafe wrongType(field, "a length") }
      try unsafe packed(start, end, unsafe field.pointee.form)
    }
  }

  private static func packed(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ form: FieldPlan.Form
  ) throws(CodecFault) {
    switch form {
    case .fixed32: guard unsafe (end - start) % 4 == 0 else { throw .truncated }
    case .fixed64: guard unsafe (end - start) % 8 == 0 else { throw .truncated }
    default:
      var cursor = unsafe start
      while unsafe cursor < end { _ = try unsafe varint(&cursor, end) }
    }
  }

  @inline(__always)
  private static func skip(
    _ count: Int, _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws(CodecFault) {
    guard unsafe end - cursor >= count else { throw .truncated }
    unsafe cursor += count
  }

  @inline(__always)
  private static func varint(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws(CodecFault) -> UInt64 {
    guard unsafe cursor < end else { throw .truncated }
    let first = unsafe cursor.pointee
    unsafe cursor += 1
    if first < 0x80 { return UInt64(first) }
    return try unsafe longVarint(UInt64(first & 0x7f), &cursor, end)
  }

  private static func longVarint(
    _ first: UInt64, _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws(CodecFault) -> UInt64 {
    var result = first
    var shift: UInt64 = 7
    while unsafe cursor < end {
      let byte = unsafe cursor.pointee
      unsafe cursor += 1
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return result }
      shift += 7
      guard shift < 70 else { throw CodecFault(.malformed, "a number has more than ten bytes") }
    }
    throw .truncated
  }

  // MARK: - Faults

  private static func wrongType(_ field: UnsafePointer<FieldPlan>, _ found: String) -> CodecFault {
    let expected =
      switch unsafe field.pointee.form {
      case .varint: "a varint"
      case .fixed32: "4 bytes"
      case .fixed64: "8 bytes"
      case .text, .blob, .message, .absent: "a length"
      }
    return CodecFault(.wrongType, "it has the wire type of \(found), the contract says \(expected)")
  }

  /// The field's name, and its index when it is repeated. The bytes before it have been checked already.
  private static func name(
    of field: UnsafePointer<FieldPlan>?, _ number: UInt32, from start: UnsafePointer<UInt8>,
    to tagStart: UnsafePointer<UInt8>
  ) -> String {
    guard let field = unsafe field, let native = unsafe field.pointee.native else { return "field \(number)" }
    let name = unsafe String(cString: native.pointee.name)
    guard unsafe field.pointee.isRepeated else { return name }
    var index = 0
    var cursor = unsafe start
    do throws(CodecFault) {
      while unsafe cursor < tagStart {
        let tag = try unsafe varint(&cursor, tagStart)
        if tag >> 3 == UInt64(number) { index += 1 }
        try unsafe value(&cursor, tagStart, wireType: UInt8(tag & 7), nil, 0)
      }
    } catch {
      return name
    }
    return "\(name)[\(index)]"
  }
}
