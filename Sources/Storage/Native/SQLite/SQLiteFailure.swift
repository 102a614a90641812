internal import CSQLite
internal import Glibc

/// Translates a result code of SQLite into a `DatabaseError`.
struct SQLiteFailure {
  let code: Int32
  let systemError: Int32

  init(_ code: Int32, systemError: Int32) {
    self.code = code
    self.systemError = systemError
  }

  private var name: String { unsafe "\(String(cString: sqlite3_errstr(code & 0xFF))) (\(code))" }

  private var meaning: (code: DatabaseError.Code, hint: String?) {
    switch code {
    case Int32(CSQLITE_UNIQUE), Int32(CSQLITE_PRIMARY_KEY): return (.uniqueViolation, nil)
    case Int32(CSQLITE_FOREIGN_KEY): return (.foreignKeyViolation, nil)
    // Not `.diskFull`, even if the disk is full: what was to be synced is written already, so the outcome is not known.
    case Int32(CSQLITE_SYNC): return (.inputOutput, systemHint)
    default: break
    }
    switch code & 0xFF {
    case SQLITE_CONSTRAINT: return (.constraintViolation, nil)
    case SQLITE_BUSY, SQLITE_LOCKED: return (.timedOut, "another process holds the database's lock")
    case SQLITE_INTERRUPT: return (.timedOut, "the statement was still computing at its deadline")
    case SQLITE_FULL: return (.diskFull, "the disk is full")
    case SQLITE_READONLY: return (.readOnly, "the file or its directory cannot be written")
    case SQLITE_CORRUPT: return (.corrupt, "the file is damaged: restore a backup")
    case SQLITE_NOTADB: return (.foreignFile, "the file is not a SQLite database")
    case SQLITE_CANTOPEN: return (systemError == EROFS || systemError == EACCES ? .readOnly : .unavailable, systemHint)
    case SQLITE_IOERR: return (systemError == ENOSPC ? .diskFull : .inputOutput, systemHint)
    case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISMATCH: return (.badStatement, nil)
    default: return (.engine, nil)
    }
  }

  private var systemHint: String? {
    systemError == 0 ? nil : unsafe String(cString: strerror(systemError))
  }

  func error(_ message: String, during activity: String) -> DatabaseError {
    let meaning = meaning
    return DatabaseError(meaning.code, "\(activity): \(meaning.hint ?? message)", engineCode: name)
  }

  /// The system error that keeps SQLite from opening a file. SQLite tries several ways and reports why the last one
  /// failed, so this looks at the folder and the file itself.
  static func reasonNotToOpen(_ path: String) -> Int32 {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if unsafe access(folder, W_OK) != 0 { return errno }
    return unsafe access(path, R_OK | W_OK) != 0 && errno != ENOENT ? errno : 0
  }

  func opening(_ path: String) -> DatabaseError {
    let meaning = meaning
    return DatabaseError(meaning.code, "cannot open '\(path)': \(meaning.hint ?? name)", engineCode: name)
  }
}
