internal import CSQLite

/// A prepared statement of one connection, which finalizes it.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  private let query: Query
  private let arena = BindingArena()
  /// Cached, since the columns' names do not change between runs.
  private lazy var shape = RowShape(statement: query.name, columns: columnNames())
  /// Whether the statement is stepping through its rows. It cannot be started again then, so a nested use prepares
  /// another one.
  var isInUse = false
  /// Whether the connection keeps it for the next use.
  var isKept = false

  init(owning handle: OpaquePointer, query: Query) {
    unsafe self.handle = handle
    self.query = query
  }

  func finalize() { unsafe sqlite3_finalize(handle) }

  func reset() {
    unsafe sqlite3_reset(handle)
    // Values may be personal, so they must not stay in memory until the statement's next use.
    unsafe sqlite3_clear_bindings(handle)
    arena.wipe()
  }

  func step() -> Int32 { unsafe sqlite3_step(handle) }

  func bind(_ values: [Value]) -> Int32 {
    guard unsafe sqlite3_bind_parameter_count(handle) == Int32(values.count) else { return SQLITE_RANGE }
    for (offset, value) in values.enumerated() {
      let code = bind(value, at: Int32(offset + 1))
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }

  private func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let integer): return unsafe sqlite3_bind_int64(handle, index, integer)
    case .real(let real): return unsafe sqlite3_bind_double(handle, index, real)
    case .text(var text):
      return text.withUTF8 { utf8 in
        if let kept = unsafe arena.keep(utf8) {
          return unsafe sqlite3_bind_text(handle, index, kept, Int32(utf8.count), nil)
        }
        guard let count = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
        return unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
          unsafe csqlite_bind_text(handle, index, characters.baseAddress, count)
        }
      }
    case .bytes(let bytes):
      guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return unsafe bytes.withUnsafeBytes { buffer in
        unsafe csqlite_bind_blob(handle, index, buffer.baseAddress, count)
      }
    }
  }

  /// The current row.
  func row() -> Row {
    let shape = shape
    var values: [Value] = []
    values.reserveCapacity(shape.columns.count)
    for index in 0..<shape.columns.count { values.append(value(at: Int32(index))) }
    return Row(values: values, shape: shape)
  }

  private func value(at index: Int32) -> Value {
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let start = unsafe sqlite3_column_text(handle, index)
      let utf8 = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
      return unsafe .text(String(decoding: utf8, as: UTF8.self))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(handle, index)
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
      return unsafe .bytes([UInt8](bytes))
    default: return .null
    }
  }

  private func columnNames() -> [String] {
    let count = unsafe sqlite3_column_count(handle)
    return (0..<count).map { index in
      unsafe sqlite3_column_name(handle, index).map { unsafe String(cString: $0) } ?? ""
    }
  }
}
