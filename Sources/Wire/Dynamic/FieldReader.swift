/// Reads the fields of a message without knowing its type.
package struct FieldReader {
  package enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)

    package var integer: Int {
      if case .number(let number) = self { Int(truncatingIfNeeded: number) } else { 0 }
    }

    package var bytes: ArraySlice<UInt8> {
      if case .bytes(let bytes) = self { bytes } else { [] }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next field, or nil at the end.
  package mutating func next() throws(CodecError) -> (number: Int, value: Value)? {
    guard !rest.isEmpty else { return nil }
    let tag = try varint()
    let number = Int(truncatingIfNeeded: tag >> 3)
    switch tag & 7 {
    case 0: return (number, .number(try varint()))
    case 1: return (number, .number(try littleEndian(8)))
    case 2: return (number, .bytes(try take(try varint())))
    case 5: return (number, .number(try littleEndian(4)))
    default: throw CodecError(code: .malformed, message: "field \(number) has the wire type \(tag & 7)")
    }
  }

  package mutating func varint() throws(CodecError) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { throw Self.cutShort }
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return result }
    }
    throw CodecError(code: .malformed, message: "a number has more than ten bytes")
  }

  private mutating func littleEndian(_ count: UInt64) throws(CodecError) -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: UInt64) throws(CodecError) -> ArraySlice<UInt8> {
    guard count <= UInt64(rest.count) else { throw Self.cutShort }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  private static var cutShort: CodecError {
    CodecError(code: .truncated, message: "the input ends in the middle of a field")
  }
}
