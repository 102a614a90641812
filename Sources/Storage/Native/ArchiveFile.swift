internal import Base
internal import Glibc

/// Writes a file from front to back into a draft, which is moved to the file's path only when it is complete and on
/// disk. Several writers may write for one path at a time: each moves a complete file there.
@safe final class ArchiveWriter {
  private let path: String
  /// The path of the temporary file that is written. Its writer holds a lock on it, by which others can tell it from a
  /// draft that was left behind.
  private let draft: String
  private let file: UnsafeMutablePointer<FILE>
  private var isDone = false
  private var digest = DigestBuilder()

  init(_ path: String) throws(DatabaseError) {
    for draft in Files.drafts(of: path) { Self.removeIfLeft(draft) }
    while true {
      let draft = Files.draftPath(of: path)
      do throws(FileError) {
        // Only personal data are sealed in an archive, so nobody else may read it.
        try Files.makePrivate(draft)
      } catch {
        throw DatabaseError(error.code == ENOSPC ? .diskFull : .inputOutput, error.description)
      }
      // Not "w": if another writer has removed the draft meanwhile, that would create a file that others may read.
      guard let file = unsafe fopen(draft, "r+be") else {
        if errno == ENOENT { continue }
        throw Self.failure("write", path)
      }
      _ = flock(unsafe fileno(file), LOCK_EX)
      if Files.exists(draft) {
        self.path = path
        self.draft = draft
        unsafe self.file = file
        return
      }
      // Another writer that starts at this moment took the draft for one left behind and removed it: make a new one.
      unsafe fclose(file)
    }
  }

  deinit {
    unsafe fclose(file)
    if !isDone { unsafe unlink(draft) }
  }

  /// Removes a draft that a killed process has left behind. On a file system without locks it stays.
  private static func removeIfLeft(_ draft: String) {
    guard let file = unsafe fopen(draft, "rbe") else { return }
    if flock(unsafe fileno(file), LOCK_EX | LOCK_NB) == 0 { unsafe unlink(draft) }
    unsafe fclose(file)
  }

  /// Whether the path is an existing empty file, as `mktemp` makes one.
  static func isEmptyFile(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  func write(_ bytes: [UInt8]) throws(DatabaseError) {
    digest.update(bytes)
    guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Self.failure("write", path) }
  }

  /// The hash of all bytes written so far.
  var digestSoFar: Digest {
    let copy = digest
    return copy.finish()
  }

  func finish() throws(DatabaseError) {
    guard unsafe fflush(file) == 0, unsafe fsync(fileno(file)) == 0, unsafe rename(draft, path) == 0 else {
      throw Self.failure("write", path)
    }
    isDone = true
    do throws(FileError) {
      try Files.syncFolder(of: path)
    } catch {
      throw DatabaseError(.inputOutput, error.description)
    }
  }

  fileprivate static func failure(_ action: String, _ path: String) -> DatabaseError {
    let reason = unsafe String(cString: strerror(errno))
    return DatabaseError(errno == ENOSPC ? .diskFull : .inputOutput, "cannot \(action) '\(path)': \(reason)")
  }
}

/// Reads a file from front to back.
@safe final class ArchiveReader {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private var digest = DigestBuilder()

  init(_ path: String) throws(DatabaseError) {
    guard let file = unsafe fopen(path, "rb") else { throw ArchiveWriter.failure("read", path) }
    self.path = path
    unsafe self.file = file
  }

  deinit { unsafe fclose(file) }

  /// Reads exactly `count` bytes; throws if the file ends before. Reads in pieces, so that a wrong length in a damaged
  /// file does not reserve more memory than the file has bytes.
  func read(_ count: Int) throws(DatabaseError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 20))
      guard unsafe fread(&piece, 1, piece.count, file) == piece.count else {
        throw DatabaseError(.corrupt, "'\(path)' ends in the middle: it is no whole archive")
      }
      bytes += piece
    }
    digest.update(bytes)
    return bytes
  }

  var digestSoFar: Digest {
    let copy = digest
    return copy.finish()
  }
}
