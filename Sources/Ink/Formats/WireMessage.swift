/// A protobuf message in another program's file, read field by field. It never reads past the end.
struct WireMessage {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The most fields. Each takes some thirty times as much memory as the bytes of the shortest one.
  private static let mostFields = 2 * InkLimits.points

  func fields() throws(InkError) -> [WireField] {
    var rest = bytes
    var fields: [WireField] = []
    while !rest.isEmpty {
      guard fields.count < Self.mostFields else {
        throw UniversalInk.failure("has a message of more than \(Self.mostFields) fields")
      }
      let key = try Self.varint(&rest)
      let number = Int(truncatingIfNeeded: key >> 3)
      switch key & 7 {
      case 0:
        let start = rest.startIndex
        _ = try Self.varint(&rest)
        fields.append(WireField(number: number, kind: .varint, content: bytes[start..<rest.startIndex]))
      case 1: fields.append(WireField(number: number, kind: .fixed64, content: try Self.take(8, &rest)))
      case 2:
        let count = try Self.varint(&rest)
        guard count <= rest.count else { throw Self.failure }
        fields.append(WireField(number: number, kind: .bytes, content: try Self.take(Int(count), &rest)))
      case 5: fields.append(WireField(number: number, kind: .fixed32, content: try Self.take(4, &rest)))
      default: throw Self.failure
      }
    }
    return fields
  }

  static let failure = UniversalInk.failure("has a malformed message")

  static func varint(_ rest: inout ArraySlice<UInt8>) throws(InkError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw failure }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw failure
  }

  private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws(InkError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw failure }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// A field of a message, in whichever wire type its sender chose.
struct WireField {
  enum Kind { case varint, fixed32, fixed64, bytes }

  let number: Int
  let kind: Kind
  let content: ArraySlice<UInt8>

  func message() throws(InkError) -> WireMessage { WireMessage(try slice()) }

  func bytes() throws(InkError) -> [UInt8] { Array(try slice()) }

  func integer() throws(InkError) -> UInt64 {
    guard kind == .varint else { throw WireMessage.failure }
    var rest = content
    return try WireMessage.varint(&rest)
  }

  /// A zigzag-encoded integer; throws when it does not fit into 32 bits.
  func smallInteger() throws(InkError) -> Int {
    guard let value = Int32(exactly: Self.signed(try integer())) else { throw WireMessage.failure }
    return Int(value)
  }

  func float() throws(InkError) -> Double {
    guard kind == .fixed32 else { throw WireMessage.failure }
    return Self.float(content)
  }

  func double() throws(InkError) -> Double {
    guard kind == .fixed64 else { throw WireMessage.failure }
    return Double(bitPattern: content.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Packed numbers, or a single one.
  func floats() throws(InkError) -> [Double] {
    if kind == .fixed32 { return [Self.float(content)] }
    let content = try slice()
    guard content.count.isMultiple(of: 4) else { throw WireMessage.failure }
    return stride(from: content.startIndex, to: content.endIndex, by: 4).map { Self.float(content[$0..<$0 + 4]) }
  }

  func signedIntegers() throws(InkError) -> [Double] { try varints().map(Self.signed) }

  func integers() throws(InkError) -> [Int] { try varints().map { Int(truncatingIfNeeded: min($0, 1 << 32)) } }

  private func varints() throws(InkError) -> [UInt64] {
    if kind == .varint { return [try integer()] }
    var rest = try slice()
    var values: [UInt64] = []
    while !rest.isEmpty { values.append(try WireMessage.varint(&rest)) }
    return values
  }

  private func slice() throws(InkError) -> ArraySlice<UInt8> {
    guard kind == .bytes else { throw WireMessage.failure }
    return content
  }

  private static func signed(_ value: UInt64) -> Double {
    Double(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }

  private static func float(_ content: ArraySlice<UInt8>) -> Double {
    Double(Float(bitPattern: content.reversed().reduce(0) { $0 << 8 | UInt32($1) }))
  }
}
