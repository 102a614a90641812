internal import CPostgres

/// A statement to send to the server, with its parameters.
struct PostgresCommand: Sendable {
  let name: String
  let sql: String
  let values: [Value]
  /// The name of the prepared statement; nil for a statement that is not prepared. With `preparesFirst` this command
  /// prepares it.
  var prepared: String?
  var preparesFirst = false

  /// Queues the command on the connection. Returns false if the connection is lost.
  func send(on handle: OpaquePointer) -> Bool {
    let types = values.map(\.postgresType)
    if preparesFirst, let prepared {
      guard unsafe PQsendPrepare(handle, prepared, sql, Int32(types.count), types) == 1 else { return false }
    }
    var buffer: [UInt8] = []
    var ends: [Int] = []
    for value in values {
      value.appendPostgresForm(to: &buffer)
      ends.append(buffer.count)
    }
    // libpq takes a null pointer for NULL, so an empty value needs a byte to point to.
    buffer.append(0)
    return unsafe buffer.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      var lengths: [Int32] = []
      for (index, value) in values.enumerated() {
        let begin = index == 0 ? 0 : ends[index - 1]
        unsafe pointers.append(value == .null ? nil : start?.advanced(by: begin))
        lengths.append(Int32(ends[index] - begin))
      }
      let formats = [Int32](repeating: 1, count: values.count)
      let count = Int32(values.count)
      if let prepared {
        return unsafe PQsendQueryPrepared(handle, prepared, count, pointers, lengths, formats, 1) == 1
      }
      return unsafe PQsendQueryParams(handle, sql, count, types, pointers, lengths, formats, 1) == 1
    }
  }
}

/// PostgreSQL's numbers for the types that Assent stores or reads.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytes: UInt32 = 17
  static let name: UInt32 = 19
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let float8: UInt32 = 701
  static let varchar: UInt32 = 1043
  static let void: UInt32 = 2278
}

extension Value {
  /// The declared type of the parameter. For NULL the server infers the type from its place in the statement.
  var postgresType: UInt32 {
    switch self {
    case .null: 0
    case .integer: PostgresType.int8
    case .real: PostgresType.float8
    case .text: PostgresType.text
    case .bytes: PostgresType.bytes
    }
  }

  fileprivate func appendPostgresForm(to buffer: inout [UInt8]) {
    switch self {
    case .null: break
    case .integer(let integer): Self.append(UInt64(bitPattern: integer), to: &buffer)
    case .real(let real): Self.append(real.bitPattern, to: &buffer)
    case .text(let text): buffer.append(contentsOf: text.utf8)
    case .bytes(let bytes): buffer.append(contentsOf: bytes)
    }
  }

  private static func append(_ word: UInt64, to buffer: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      buffer.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }
}
