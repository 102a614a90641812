internal import Base
internal import CProtobufC
internal import CWire
internal import Glibc

/// Reads JSON into protobuf-c's structs by their descriptors. Everything that it makes is in its arena.
///
/// It exists beside Base's `JSONParser` because it reads every request of a browser: it copies texts from the input to
/// the arena without a `String` in between, and its errors have lines and columns. Both resolve escapes by the same
/// code.
struct JSONReader: ~Copyable {
  private var cursor: JSONCursor
  private var arena: Arena
  private let options: JSONDecodingOptions

  init(_ start: UnsafePointer<UInt8>, count: Int, _ options: JSONDecodingOptions) {
    unsafe cursor = JSONCursor(start, count: count)
    arena = Arena(limit: options.limits.expandedSize)
    self.options = options
  }

  /// The position of the last value that was read, or of the unexpected character.
  var position: CodecError.Position { cursor.position }

  /// Reads the whole text as one message.
  mutating func document(_ plan: JSONPlan) throws(CodecFault) -> UnsafeMutableRawPointer {
    cursor.skipBlanks()
    let native = try unsafe message(plan, depth: options.limits.depth)
    try cursor.expectEnd()
    return unsafe native
  }

  // MARK: - Messages

  private mutating func message(_ plan: JSONPlan, depth: Int) throws(CodecFault) -> UnsafeMutableRawPointer {
    guard depth > 0 else { throw .tooDeep }
    let native = try unsafe structure(plan)
    switch plan.kind {
    case .ordinary: try unsafe fields(of: native, plan, depth: depth)
    case .timestamp: try unsafe time(native, plan, "an RFC 3339 time from year 1 to 9999", TimeText.timestamp(_:))
    case .duration: try unsafe time(native, plan, "seconds with an 's' behind", TimeText.duration(_:))
    }
    return unsafe native
  }

  private mutating func structure(_ plan: JSONPlan) throws(CodecFault) -> UnsafeMutableRawPointer {
    let native = try unsafe allocate(plan.descriptor.pointee.sizeof_message)
    unsafe native.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = plan.descriptor
    return unsafe native
  }

  private mutating func fields(
    of native: UnsafeMutableRawPointer, _ plan: JSONPlan, depth: Int
  ) throws(CodecFault) {
    try cursor.expect("{", "an object")
    let seen = try unsafe allocate(plan.fields.count).assumingMemoryBound(to: Bool.self)
    guard !cursor.skip("}") else { return }
    var place = 0
    repeat {
      let name = try unsafe text()
      guard let index = unsafe plan.index(of: name, after: place) else {
        guard options.ignoresUnknownFields else {
          let name = unsafe String(decoding: name, as: UTF8.self).shortened
          throw CodecFault(.unknownName, "\(plan.name) has no field '\(name)'")
        }
        try cursor.expect(":", "a colon")
        try skipValue(depth: depth)
        continue
      }
      do throws(CodecFault) {
        guard unsafe !seen[index] else { throw CodecFault(.duplicate, "the field is given twice") }
        unsafe seen[index] = true
        place = index + 1
        try cursor.expect(":", "a colon")
        try unsafe field(plan.fields[index], of: native, depth: depth)
      } catch {
        throw error.inside(plan.fields[index].name)
      }
    } while cursor.skip(",")
    try cursor.expect("}", "a comma or the end of the object")
  }

  private mutating func field(
    _ field: JSONField, of native: UnsafeMutableRawPointer, depth: Int
  ) throws(CodecFault) {
    // null means that a field is not set.
    if try cursor.skipNull() { return }
    let member = unsafe native + field.offset
    if field.isMap {
      try unsafe map(field, of: native, depth: depth)
    } else if field.isRepeated {
      try unsafe list(field, of: native, depth: depth)
    } else {
      if field.isOneof {
        guard unsafe native.load(fromByteOffset: field.quantifierOffset, as: UInt32.self) == 0 else {
          throw CodecFault(.duplicate, "another field of the same oneof is given too")
        }
        let number = unsafe field.native.pointee.id
        unsafe native.storeBytes(of: number, toByteOffset: field.quantifierOffset, as: UInt32.self)
      }
      try unsafe value(field, into: member, depth: depth)
    }
  }

  // MARK: - Lists and maps

  private mutating func list(
    _ field: JSONField, of native: UnsafeMutableRawPointer, depth: Int
  ) throws(CodecFault) {
    try cursor.expect("[", "a list")
    guard !cursor.skip("]") else { return }
    var list = GrowingList(elementSize: field.elementSize)
    repeat {
      do throws(CodecFault) {
        let element = try unsafe grow(&list)
        try unsafe value(field, into: element, depth: depth)
      } catch {
        throw error.inside("[\(list.count - 1)]")
      }
    } while cursor.skip(",")
    try cursor.expect("]", "a comma or the end of the list")
    unsafe store(list, field, native)
  }

  private mutating func map(
    _ field: JSONField, of native: UnsafeMutableRawPointer, depth: Int
  ) throws(CodecFault) {
    guard let plan = field.child else { return }
    guard depth > 1 else { throw .tooDeep }
    try cursor.expect("{", "an object")
    guard !cursor.skip("}") else { return }
    var list = unsafe GrowingList(elementSize: MemoryLayout<UnsafeRawPointer>.size)
    var seen: Set<String> = []
    repeat {
      let entry = try unsafe structure(plan)
      unsafe (try grow(&list)).storeBytes(of: UnsafeRawPointer(entry), as: UnsafeRawPointer.self)
      let name = try unsafe key(plan.fields[0], into: entry + plan.fields[0].offset)
      do throws(CodecFault) {
        guard seen.insert(name).inserted else { throw CodecFault(.duplicate, "the key is given twice") }
        try cursor.expect(":", "a colon")
        try unsafe value(plan.fields[1], into: entry + plan.fields[1].offset, depth: depth - 1)
      } catch {
        throw error.inside("[\(name.shortened)]")
      }
    } while cursor.skip(",")
    try cursor.expect("}", "a comma or the end of the object")
    unsafe store(list, field, native)
  }

  /// Reads a key, which is always a string, and returns it in the form by which keys are compared.
  private mutating func key(_ field: JSONField, into member: UnsafeMutableRawPointer) throws(CodecFault) -> String {
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      let text = try unsafe terminatedText()
      unsafe member.storeBytes(of: text.start, as: UnsafeMutablePointer<UInt8>.self)
      return unsafe String(decoding: UnsafeBufferPointer(start: text.start, count: text.count), as: UTF8.self)
    case PROTOBUF_C_TYPE_BOOL:
      let name = try unsafe String(decoding: text(), as: UTF8.self)
      guard name == "true" || name == "false" else { throw CodecFault(.wrongType, "the key must be true or false") }
      unsafe member.storeBytes(of: name == "true" ? 1 : 0, as: Int32.self)
      return name
    default:
      guard cursor.startsText else { throw CodecFault(.notJSON, "a key must be text") }
      try unsafe integer(field, into: member)
      return unsafe field.integerText(at: member)
    }
  }

  /// A list whose length is known only at its end.
  @safe private struct GrowingList {
    let elementSize: Int
    var memory: UnsafeMutableRawPointer?
    var count = 0
    var capacity = 0

    init(elementSize: Int) {
      self.elementSize = elementSize
      unsafe memory = nil
    }
  }

  /// Makes room for one more element, all zero.
  private mutating func grow(_ list: inout GrowingList) throws(CodecFault) -> UnsafeMutableRawPointer {
    if list.count == list.capacity {
      let capacity = max(4, list.capacity * 2)
      let memory = try unsafe allocate(capacity * list.elementSize)
      if let old = unsafe list.memory { unsafe memcpy(memory, old, list.count * list.elementSize) }
      unsafe list.memory = memory
      list.capacity = capacity
    }
    guard let memory = unsafe list.memory else { throw .noMemory(options.limits) }
    list.count += 1
    return unsafe memory + (list.count - 1) * list.elementSize
  }

  private func store(_ list: GrowingList, _ field: JSONField, _ native: UnsafeMutableRawPointer) {
    unsafe native.storeBytes(of: list.count, toByteOffset: field.quantifierOffset, as: Int.self)
    unsafe native.storeBytes(of: list.memory, toByteOffset: field.offset, as: UnsafeMutableRawPointer?.self)
  }

  // MARK: - Single values

  private mutating func value(
    _ field: JSONField, into member: UnsafeMutableRawPointer, depth: Int
  ) throws(CodecFault) {
    switch field.type {
    case PROTOBUF_C_TYPE_STRING:
      let text = try unsafe terminatedText()
      unsafe member.storeBytes(of: text.start, as: UnsafeMutablePointer<UInt8>.self)
    case PROTOBUF_C_TYPE_BYTES: try unsafe bytes(into: member)
    case PROTOBUF_C_TYPE_MESSAGE:
      guard let child = field.child else { return }
      unsafe member.storeBytes(of: try message(child, depth: depth - 1), as: UnsafeMutableRawPointer.self)
    case PROTOBUF_C_TYPE_BOOL: unsafe member.storeBytes(of: try cursor.truthValue() ? 1 : 0, as: Int32.self)
    case PROTOBUF_C_TYPE_ENUM: unsafe member.storeBytes(of: try enumeration(field), as: Int32.self)
    case PROTOBUF_C_TYPE_FLOAT: unsafe member.storeBytes(of: try float(), as: Float.self)
    case PROTOBUF_C_TYPE_DOUBLE: unsafe member.storeBytes(of: try double(), as: Double.self)
    default: try unsafe integer(field, into: member)
    }
  }

  private mutating func bytes(into member: UnsafeMutableRawPointer) throws(CodecFault) {
    let text = try unsafe text()
    guard let bytes = unsafe Base64.decodeLeniently(Span(_unsafeElements: text)) else {
      throw CodecFault(.outOfRange, "the text is not base64")
    }
    let memory = try unsafe allocate(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe memcpy(memory, start, source.count) }
    }
    let data = unsafe ProtobufCBinaryData(len: bytes.count, data: memory.assumingMemoryBound(to: UInt8.self))
    unsafe member.storeBytes(of: data, as: ProtobufCBinaryData.self)
  }

  private mutating func enumeration(_ field: JSONField) throws(CodecFault) -> Int32 {
    guard cursor.startsText else { return try number(as: Int32.self) }
    let text = try unsafe terminatedText()
    let name = unsafe UnsafeRawPointer(text.start).assumingMemoryBound(to: CChar.self)
    guard let value = unsafe protobuf_c_enum_descriptor_get_value_by_name(field.enumeration, name) else {
      throw CodecFault(.unknownName, "there is no value '\(unsafe String(cString: name).shortened)'")
    }
    return unsafe value.pointee.value
  }

  private mutating func time(
    _ native: UnsafeMutableRawPointer, _ plan: JSONPlan, _ expected: String,
    _ parse: ([UInt8]) -> (seconds: Int64, nanos: Int32)?
  ) throws(CodecFault) {
    guard let (seconds, nanos) = unsafe parse(Array(try unsafe text())) else {
      throw CodecFault(.outOfRange, "the text is not \(expected)")
    }
    unsafe native.storeBytes(of: seconds, toByteOffset: plan.fields[0].offset, as: Int64.self)
    unsafe native.storeBytes(of: nanos, toByteOffset: plan.fields[1].offset, as: Int32.self)
  }

  // MARK: - Numbers

  private mutating func integer(_ field: JSONField, into member: UnsafeMutableRawPointer) throws(CodecFault) {
    switch field.type {
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
      unsafe member.storeBytes(of: try number(as: Int32.self), as: Int32.self)
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32:
      unsafe member.storeBytes(of: try number(as: UInt32.self), as: UInt32.self)
    case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64:
      unsafe member.storeBytes(of: try number(as: UInt64.self), as: UInt64.self)
    default: unsafe member.storeBytes(of: try number(as: Int64.self), as: Int64.self)
    }
  }

  /// A number, which may be in quotes.
  private mutating func rawNumber() throws(CodecFault) -> JSONCursor.RawNumber {
    try unsafe cursor.startsText ? JSONCursor.RawNumber(text()) : cursor.number()
  }

  private mutating func number<Number: FixedWidthInteger>(as _: Number.Type) throws(CodecFault) -> Number {
    let raw = try unsafe rawNumber()
    guard let decimal = unsafe raw.value else { throw CodecFault(.wrongType, "a whole number is expected") }
    guard let number = decimal.integer(as: Number.self) else {
      throw unsafe CodecFault(
        .outOfRange, "\(excerpt(raw.text)) is not a whole number between \(Number.min) and \(Number.max)")
    }
    return number
  }

  private mutating func double() throws(CodecFault) -> Double {
    let isQuoted = cursor.startsText
    let raw = try unsafe rawNumber()
    if let number = unsafe raw.value?.shortDouble { return number }
    let string = unsafe String(decoding: raw.text, as: UTF8.self)
    if isQuoted, let special = Self.specialNumbers[string] { return special }
    guard unsafe raw.value != nil, let number = Double(string) else {
      throw CodecFault(.wrongType, "a number is expected")
    }
    guard number.isFinite else { throw unsafe CodecFault(.outOfRange, "\(excerpt(raw.text)) does not fit a double") }
    return number
  }

  private mutating func float() throws(CodecFault) -> Float {
    let number = try double()
    let float = Float(number)
    guard float.isFinite || !number.isFinite else { throw CodecFault(.outOfRange, "\(number) does not fit a float") }
    return float
  }

  private static let specialNumbers: [String: Double] = [
    "NaN": .nan, "Infinity": .infinity, "-Infinity": -.infinity,
  ]

  private func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
    unsafe String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
  }

  // MARK: - Text

  /// The string at the cursor; a slice of the input if it has no escapes.
  private mutating func text() throws(CodecFault) -> UnsafeBufferPointer<UInt8> {
    let raw = try unsafe cursor.rawText()
    guard unsafe raw.hasEscapes else { return unsafe raw.bytes }
    let text = try unsafe unescaped(raw.bytes)
    return unsafe UnsafeBufferPointer(start: text.start, count: text.count)
  }

  @unsafe private struct Text {
    var start: UnsafeMutablePointer<UInt8>
    var count: Int
  }

  /// The string at the cursor, copied to the arena and terminated by NUL.
  private mutating func terminatedText() throws(CodecFault) -> Text {
    let raw = try unsafe cursor.rawText()
    if unsafe raw.hasEscapes {
      let text = try unsafe unescaped(raw.bytes)
      guard unsafe memchr(text.start, 0, text.count) == nil else {
        throw CodecFault(.invalidText, "text may not contain NUL")
      }
      return unsafe text
    }
    let copy = try unsafe allocate(raw.bytes.count + 1).assumingMemoryBound(to: UInt8.self)
    if let start = unsafe raw.bytes.baseAddress { unsafe memcpy(copy, start, raw.bytes.count) }
    return unsafe Text(start: copy, count: raw.bytes.count)
  }

  /// Resolves escapes. The result fits, since no escape is shorter than its character.
  private mutating func unescaped(_ raw: UnsafeBufferPointer<UInt8>) throws(CodecFault) -> Text {
    let copy = try unsafe allocate(raw.count + 1).assumingMemoryBound(to: UInt8.self)
    let count = try unsafe JSONEscapes.resolve(raw, into: copy)
    return unsafe Text(start: copy, count: count)
  }

  // MARK: - The rest

  private mutating func skipValue(depth: Int) throws(CodecFault) {
    guard depth > 0 else { throw .tooDeep }
    if cursor.startsText {
      _ = try unsafe text()
    } else if cursor.skip("{") {
      guard !cursor.skip("}") else { return }
      repeat {
        _ = try unsafe text()
        try cursor.expect(":", "a colon")
        try skipValue(depth: depth - 1)
      } while cursor.skip(",")
      try cursor.expect("}", "a comma or the end of the object")
    } else if cursor.skip("[") {
      guard !cursor.skip("]") else { return }
      repeat { try skipValue(depth: depth - 1) } while cursor.skip(",")
      try cursor.expect("]", "a comma or the end of the list")
    } else {
      try cursor.skipLiteralOrNumber()
    }
  }

  /// Zeroed memory of this size.
  private mutating func allocate(_ size: Int) throws(CodecFault) -> UnsafeMutableRawPointer {
    guard let memory = unsafe arena.allocate(size) else { throw .noMemory(options.limits) }
    return unsafe memset(memory, 0, size)
  }
}

extension CodecFault {
  fileprivate static func noMemory(_ limits: DecodingLimits) -> CodecFault {
    CodecFault(.expandsTooMuch, "the message unfolds to more than \(limits.expandedSize) bytes of memory")
  }
}
