/// Reads protobuf's wire format, as far as protoc's descriptor sets use it.
struct ProtobufReader {
  /// The value of one field, as it is on the wire.
  enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next field, or nil at the end.
  mutating func next() throws(GeneratorError) -> (number: Int, value: Value)? {
    guard !rest.isEmpty else { return nil }
    let tag = try varint()
    let number = Int(truncatingIfNeeded: tag >> 3)
    switch tag & 7 {
    case 0: return (number, .number(try varint()))
    case 1: return (number, .number(try littleEndian(byteCount: 8)))
    case 2: return (number, .bytes(try take(Int(truncatingIfNeeded: try varint()))))
    case 5: return (number, .number(try littleEndian(byteCount: 4)))
    default: throw GeneratorError("the descriptor set is damaged: wire type \(tag & 7) in field \(number)")
    }
  }

  mutating func varint() throws(GeneratorError) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw GeneratorError("the descriptor set is cut short") }
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return result }
    }
    throw GeneratorError("the descriptor set is damaged: a number has more than ten bytes")
  }

  private mutating func littleEndian(byteCount: Int) throws(GeneratorError) -> UInt64 {
    try take(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: Int) throws(GeneratorError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw GeneratorError("the descriptor set is cut short") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

extension ProtobufReader {
  /// Calls `body` with every field of a message.
  static func forEachField(
    of bytes: ArraySlice<UInt8>, _ body: (Int, Value) throws(GeneratorError) -> Void
  ) throws(GeneratorError) {
    var reader = ProtobufReader(bytes)
    while let (number, value) = try reader.next() { try body(number, value) }
  }

  /// The numbers of a packed field.
  static func packedNumbers(_ bytes: ArraySlice<UInt8>) throws(GeneratorError) -> [Int] {
    var reader = ProtobufReader(bytes)
    var numbers: [Int] = []
    while !reader.rest.isEmpty { numbers.append(Int(truncatingIfNeeded: try reader.varint())) }
    return numbers
  }
}

extension ProtobufReader.Value {
  var bytes: ArraySlice<UInt8> {
    get throws(GeneratorError) {
      guard case .bytes(let bytes) = self else { throw GeneratorError("the descriptor set is damaged: no bytes") }
      return bytes
    }
  }

  var text: String {
    get throws(GeneratorError) { String(decoding: try bytes, as: UTF8.self) }
  }

  var integer: Int {
    get throws(GeneratorError) {
      guard case .number(let number) = self else { throw GeneratorError("the descriptor set is damaged: no number") }
      return Int(truncatingIfNeeded: number)
    }
  }

  var flag: Bool {
    get throws(GeneratorError) { try integer != 0 }
  }
}
