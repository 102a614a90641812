internal import CPostgres

/// A result from the server, released when it goes out of scope.
@safe struct PostgresResult: ~Copyable {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe PQclear(handle) }

  var status: ExecStatusType { unsafe PQresultStatus(handle) }

  var changes: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  func rows(statement: String) throws(DatabaseError) -> [Row] {
    let columnCount = unsafe PQnfields(handle)
    let rowCount = unsafe PQntuples(handle)
    guard rowCount > 0 else { return [] }
    let shape = RowShape(
      statement: statement,
      columns: (0..<columnCount).map { unsafe String(cString: PQfname(handle, $0)) })
    let types = (0..<columnCount).map { unsafe PQftype(handle, $0) }
    var rows: [Row] = []
    rows.reserveCapacity(Int(rowCount))
    for row in 0..<rowCount {
      var values: [Value] = []
      values.reserveCapacity(Int(columnCount))
      for column in 0..<columnCount {
        values.append(try value(row, column, type: types[Int(column)], shape: shape))
      }
      rows.append(Row(values: values, shape: shape))
    }
    return rows
  }

  private func value(_ row: Int32, _ column: Int32, type: UInt32, shape: RowShape) throws(DatabaseError) -> Value {
    if unsafe PQgetisnull(handle, row, column) == 1 { return .null }
    let length = unsafe Int(PQgetlength(handle, row, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: length)
    switch type {
    case PostgresType.int8, PostgresType.int4, PostgresType.int2: return unsafe .integer(Self.integer(bytes))
    case PostgresType.text, PostgresType.varchar, PostgresType.name:
      return unsafe .text(String(decoding: bytes, as: UTF8.self))
    case PostgresType.bytes: return unsafe .bytes([UInt8](bytes))
    case PostgresType.float8: return unsafe .real(Double(bitPattern: UInt64(bitPattern: Self.integer(bytes))))
    // The result of a function that returns nothing.
    case PostgresType.void: return .null
    case PostgresType.boolean: return unsafe .integer(Self.integer(bytes))
    default:
      throw DatabaseError(
        .unexpectedRow,
        "column '\(shape.columns[Int(column)])' of statement '\(shape.statement)' has PostgreSQL's type \(type): "
          + "CAST it to BIGINT, TEXT, BYTES or DOUBLE PRECISION")
    }
  }

  /// Reads a big-endian integer of any width.
  private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    guard let first = unsafe bytes.first else { return 0 }
    return unsafe bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }

  func error(during activity: String) -> DatabaseError {
    let state = unsafe PQresultErrorField(handle, Int32(UInt8(ascii: "C"))).map { unsafe String(cString: $0) }
    // The primary message only: the detail quotes values.
    let message = unsafe PQresultErrorField(handle, Int32(UInt8(ascii: "M"))).map { unsafe String(cString: $0) }
    let whole = unsafe message ?? PostgresConnect.firstLine(of: PQresultErrorMessage(handle))
    return DatabaseError(Self.code(of: state), "\(activity): \(whole)", engineCode: state)
  }

  /// The code for an SQLSTATE (PostgreSQL's manual, appendix A).
  private static func code(of state: String?) -> DatabaseError.Code {
    // Without a state it is libpq that reports the error, because the connection is lost.
    guard let state else { return .connectionLost }
    switch state {
    case "40001", "40P01": return .serializationFailure
    case "23505": return .uniqueViolation
    case "23503": return .foreignKeyViolation
    case "53100": return .diskFull
    case "25006": return .readOnly
    case "57014", "55P03": return .timedOut
    case "57P01", "57P02", "57P03", "57P05": return .connectionLost
    case "58030": return .inputOutput
    case "XX001", "XX002": return .corrupt
    default: break
    }
    switch state.prefix(2) {
    case "08": return .connectionLost
    case "23": return .constraintViolation
    case "42", "22": return .badStatement
    default: return .engine
    }
  }
}
