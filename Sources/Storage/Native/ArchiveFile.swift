internal import Base
internal import Glibc

/// A file that is written from front to back, and moved to its path only when it is complete and on disk. Several may
/// be written for one path at a time: each is moved there as a whole.
@safe final class ArchiveWriter {
  private let path: String
  /// What is written to. Whoever writes a draft holds its lock.
  private let draft: String
  private let file: UnsafeMutablePointer<FILE>
  private var isDone = false
  private var digest = DigestBuilder()

  init(_ path: String) throws(DatabaseError) {
    for draft in Files.drafts(of: path) { Self.removeIfLeft(draft) }
    while true {
      let draft = Files.draftPath(of: path)
      do throws(FileError) {
        // Personal data in an archive is sealed, the rest is not, so nobody else may read it.
        try Files.makePrivate(draft)
      } catch {
        throw DatabaseError(error.code == ENOSPC ? .diskFull : .inputOutput, error.description)
      }
      // Not "w": that would make a file that others may read, where another one has removed the draft meanwhile.
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
      // Another one that begins at this moment has taken it for one that was left.
      unsafe fclose(file)
    }
  }

  deinit {
    unsafe fclose(file)
    if !isDone { unsafe unlink(draft) }
  }

  /// Removes what was left by a process that was killed or interrupted. Where files cannot be locked, all stay.
  private static func removeIfLeft(_ draft: String) {
    guard let file = unsafe fopen(draft, "rbe") else { return }
    if flock(unsafe fileno(file), LOCK_EX | LOCK_NB) == 0 { unsafe unlink(draft) }
    unsafe fclose(file)
  }

  /// Whether a file is there that holds nothing, as `mktemp` makes one.
  static func isEmptyFile(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  func write(_ bytes: [UInt8]) throws(DatabaseError) {
    digest.update(bytes)
    guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Self.failure("write", path) }
  }

  /// The hash of all that has been written.
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

/// A file that is read from front to back.
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

  /// Exactly `count` bytes; an error when the file ends before. Memory is taken for what is there, whatever a damaged
  /// file says.
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
