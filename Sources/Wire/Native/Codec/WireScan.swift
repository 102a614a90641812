internal import CProtobufC

/// Checks a message in protobuf's binary form before protobuf-c sees it.
///
/// protobuf-c gives no reason when it refuses a message, accepts a boolean of any wire type, cuts texts at NUL, does
/// not check UTF-8 and has no bound on depth. The scan checks all of that, and names the field with the fault.
enum WireScan {
  static func check(
    _ bytes: UnsafeBufferPointer<UInt8>, against plan: UnsafePointer<MessagePlan>, _ limits: DecodingLimits
  ) throws(CodecError) {
    guard let start = bytes.baseAddress else { return }
    do throws(CodecFault) {
      let bounds = Bounds(depth: limits.depth, marks: limits.boundsMarks)
      try unsafe message(start, start + bytes.count, plan, bounds)
    } catch {
      throw CodecError(error)
    }
  }

  private struct Bounds {
    /// How many more levels of messages may be nested.
    let depth: Int
    let marks: Bool

    var inside: Bounds { Bounds(depth: depth - 1, marks: marks) }
  }

  private static func message(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ plan: UnsafePointer<MessagePlan>, _ bounds: Bounds
  ) throws(CodecFault) {
    guard bounds.depth > 0 else { throw .tooDeep }
    let (dense, denseCount) = unsafe (plan.pointee.dense, plan.pointee.denseCount)
    var cursor = unsafe start
    var tagStart = unsafe start
    do throws(CodecFault) {
      while unsafe cursor < end {
        unsafe tagStart = cursor
        let tag = unsafe cursor.pointee
        // Nearly every field: a number below 16 and the contract's wire type.
        if tag < 0x80, UInt32(tag >> 3) <= denseCount, unsafe dense[Int(tag >> 3)].takes(wireType: tag & 7) {
          unsafe cursor += 1
          try unsafe value(&cursor, end, unsafe dense + Int(tag >> 3), bounds)
        } else {
          try unsafe anyField(&cursor, end, plan, bounds)
        }
      }
    } catch {
      throw unsafe error.inside(name(ofFieldAt: tagStart, from: start, to: end, plan))
    }
  }

  /// Checks the value of a field that has the contract's wire type.
  @inline(__always)
  private static func value(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ field: UnsafePointer<FieldPlan>,
    _ bounds: Bounds
  ) throws(CodecFault) {
    switch unsafe field.pointee.form {
    case .varint, .absent: _ = try unsafe varint(&cursor, end)
    case .fixed32: try unsafe skip(4, &cursor, end)
    case .fixed64: try unsafe skip(8, &cursor, end)
    case .text, .blob, .message:
      let start = try unsafe lengthDelimited(&cursor, end)
      try unsafe content(start, cursor, field, bounds)
    }
  }

  /// Checks a field of any number and wire type.
  private static func anyField(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ plan: UnsafePointer<MessagePlan>,
    _ bounds: Bounds
  ) throws(CodecFault) {
    let tag = try unsafe varint(&cursor, end)
    let number = UInt32(truncatingIfNeeded: tag >> 3)
    guard tag <= UInt64(UInt32.max), number > 0 else {
      throw CodecFault(.malformed, "a field has a number outside 1 … 536870911")
    }
    let field = unsafe plan.pointee.field(number)
    let wireType = UInt8(tag & 7)
    if let field = unsafe field, unsafe field.pointee.form.wireType != wireType {
      // A list of numbers may be packed or not, whatever the contract says.
      guard wireType == 2, unsafe field.pointee.isRepeated else {
        throw wireType == 3 || wireType == 4 ? .group : unsafe wrongType(field, wireType)
      }
    }
    switch wireType {
    case 0: _ = try unsafe varint(&cursor, end)
    case 1: try unsafe skip(8, &cursor, end)
    case 5: try unsafe skip(4, &cursor, end)
    case 2:
      let start = try unsafe lengthDelimited(&cursor, end)
      if let field = unsafe field { try unsafe content(start, cursor, field, bounds) }
    case 3, 4: throw .group
    default: throw CodecFault(.malformed, "there is no wire type \(wireType)")
    }
  }

  /// Moves past a length and its content; returns the content's start.
  @inline(__always)
  private static func lengthDelimited(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws(CodecFault) -> UnsafePointer<UInt8> {
    let length = try unsafe varint(&cursor, end)
    guard length <= UInt64(unsafe end - cursor) else { throw .truncated }
    let start = unsafe cursor
    unsafe cursor += Int(length)
    return unsafe start
  }

  /// Checks the content after a length.
  @inline(__always)
  private static func content(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ field: UnsafePointer<FieldPlan>, _ bounds: Bounds
  ) throws(CodecFault) {
    switch unsafe field.pointee.form {
    case .text:
      if let requirement = unsafe UTF8Check.requirement(brokenBy: start, end - start, boundsMarks: bounds.marks) {
        throw CodecFault(.invalidText, requirement)
      }
    case .blob, .absent: break
    case .message:
      guard let child = unsafe field.pointee.child else { return }
      try unsafe message(start, end, child, bounds.inside)
    case .varint, .fixed32, .fixed64:
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
    if unsafe cursor < end, unsafe cursor.pointee < 0x80 {
      let second = unsafe cursor.pointee
      unsafe cursor += 1
      return UInt64(first & 0x7f) | UInt64(second) << 7
    }
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

  private static func wrongType(_ field: UnsafePointer<FieldPlan>, _ found: UInt8) -> CodecFault {
    let names = ["a varint", "8 bytes", "a length", "a group", "a group", "4 bytes"]
    guard Int(found) < names.count else { return CodecFault(.malformed, "there is no wire type \(found)") }
    let expected = unsafe names[Int(field.pointee.form.wireType)]
    return CodecFault(.wrongType, "it has the wire type of \(names[Int(found)]), the contract says \(expected)")
  }

  /// The name of the field whose tag is at `place`, with an index if it is repeated.
  private static func name(
    ofFieldAt place: UnsafePointer<UInt8>, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>,
    _ plan: UnsafePointer<MessagePlan>
  ) -> String {
    var cursor = unsafe place
    guard let tag = try? unsafe varint(&cursor, end) else { return "field" }
    let number = UInt32(truncatingIfNeeded: tag >> 3)
    guard let field = unsafe plan.pointee.field(number), let native = unsafe field.pointee.native else {
      return "field \(tag >> 3)"
    }
    let name = unsafe String(cString: native.pointee.name)
    guard unsafe field.pointee.isRepeated else { return name }
    return unsafe "\(name)[\(occurrences(of: number, from: start, to: place))]"
  }

  /// How many times the field occurs in bytes that have been checked.
  private static func occurrences(
    of number: UInt32, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> Int {
    let nothing = unsafe MessagePlan.empty.plan
    var cursor = unsafe start
    var count = 0
    while unsafe cursor < end {
      var tagCursor = unsafe cursor
      if let tag = try? unsafe varint(&tagCursor, end), tag >> 3 == UInt64(number) { count += 1 }
      guard (try? unsafe anyField(&cursor, end, nothing, Bounds(depth: 0, marks: false))) != nil else { return count }
    }
    return count
  }
}
