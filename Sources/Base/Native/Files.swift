internal import CSystem
internal import Glibc

/// Reads and writes whole files that are small enough for memory.
public enum Files {
  /// The bytes of the file at `path`; throws when there are more than `limit`.
  public static func read(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    let descriptor = unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileError("read", path, code: errno) }
    defer { close(descriptor) }
    return try contents(of: descriptor, path, limit: limit)
  }

  /// The bytes of a file that holds a secret; throws when other users may read or change it too.
  ///
  /// Checks the file that was opened, not whatever the path names later. As in other programs that read keys, a file
  /// that belongs to root may be readable by its group, because containers get their secrets in this way.
  public static func readPrivate(_ path: String, limit: Int = 1 << 20) throws(FileError) -> [UInt8] {
    let descriptor = unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileError("read", path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("read", path, code: errno) }
    let mode = status.st_mode & 0o777
    let wide: UInt32 = status.st_uid == 0 ? 0o037 : 0o077
    guard status.st_mode & S_IFMT != S_IFREG || mode & wide == 0 else {
      let finding = "\(path) holds a secret, and others may use it (mode \(String(mode, radix: 8))): chmod 600 \(path)"
      throw FileError(finding: finding, path, code: EPERM)
    }
    return try contents(of: descriptor, path, limit: limit)
  }

  /// Calls `body` with the bytes of a file piece by piece, however long the file is.
  public static func pieces(of path: String, _ body: ([UInt8]) throws -> Void) throws {
    let descriptor = unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileError("read", path, code: errno) }
    defer { close(descriptor) }
    while let piece = try nextPiece(of: descriptor, path) { try body(piece) }
  }

  private static func contents(of descriptor: Int32, _ path: String, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try nextPiece(of: descriptor, path) {
      guard bytes.count + piece.count <= limit else { throw FileError("read", path, code: EFBIG) }
      bytes += piece
    }
    return bytes
  }

  /// The next piece; nil at the file's end.
  private static func nextPiece(of descriptor: Int32, _ path: String) throws(FileError) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return nil }
      if count > 0 { return Array(piece[..<count]) }
      guard errno == EINTR else { throw FileError("read", path, code: errno) }
    }
  }

  /// Replaces the file at `path` by `bytes` in one step: a reader gets the old contents or the new, also after a crash.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(FileError) {
    let draft = try writeDraft(bytes, of: path, mode: mode)
    guard unsafe rename(draft, path) == 0 else { throw failure(errno, of: draft, path) }
    try syncFolder(of: path)
  }

  /// Makes the file at `path` in one step; false where something has that name already, be it a link whose target is
  /// not there: it stays as it is.
  public static func writeNew(_ bytes: [UInt8], to path: String, mode: UInt32) throws(FileError) -> Bool {
    let draft = try writeDraft(bytes, of: path, mode: mode)
    guard unsafe csystem_rename_new(draft, path) == 0 else {
      let error = failure(errno, of: draft, path)
      if error.code == EEXIST { return false }
      throw error
    }
    try syncFolder(of: path)
    return true
  }

  /// Writes what is to become the file at `path` into a draft beside it, and waits until it is on disk; returns the
  /// draft's path.
  private static func writeDraft(_ bytes: [UInt8], of path: String, mode: UInt32) throws(FileError) -> String {
    let draft = draftPath(of: path)
    let descriptor = unsafe csystem_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError("write", path, code: errno) }
    var code: Int32 = 0
    var written = 0
    while written < bytes.count, code == 0 {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno != EINTR { code = errno }
      written += max(0, count)
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    guard code == 0 else { throw failure(code, of: draft, path) }
    return draft
  }

  /// Why a file cannot be written. Its draft goes.
  private static func failure(_ code: Int32, of draft: String, _ path: String) -> FileError {
    unsafe unlink(draft)
    return FileError("write", path, code: code)
  }

  private static let draftMark = ".draft-"

  /// A path for the file that is written first and then replaces the one at `path`. It has a random number, since
  /// processes in different containers may have the same id.
  public static func draftPath(of path: String) -> String {
    "\(path)\(draftMark)\(Hex.encode(Randomness.system.bytes(8)))"
  }

  /// All drafts of the file at `path`: those being written, and those left by processes that ended meanwhile.
  public static func drafts(of path: String) -> [String] {
    let folder = folder(of: path)
    let file = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    // Drafts in a folder that may not be listed are left; they do no harm.
    return ((try? names(in: folder)) ?? []).filter { $0.hasPrefix(file + draftMark) }.map { "\(folder)/\($0)" }
  }

  /// Removes the drafts that processes left which ended while they wrote the file at `path`. Only called while nobody
  /// writes it.
  static func removeDrafts(of path: String) {
    for draft in drafts(of: path) { unsafe unlink(draft) }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns when the folder's entry of a file is on disk too. Only then is a file that was made or renamed found after
  /// a crash.
  public static func syncFolder(of path: String) throws(FileError) {
    let descriptor = unsafe csystem_open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    // Whoever may add files to a folder may still not be allowed to open it.
    if descriptor < 0, errno == EACCES { return }
    guard descriptor >= 0 else { throw FileError("write", path, code: errno) }
    defer { close(descriptor) }
    // Some file systems cannot sync folders and report EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileError("write", path, code: errno) }
  }

  /// Makes the folder at `path` and those above it. Existing folders are not changed.
  public static func makeFolder(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileError("make folder", path, code: errno)
    }
    try makeFolder(String(path[..<slash]), mode: mode)
    guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw FileError("make folder", path, code: errno) }
  }

  /// `path` as an absolute path.
  public static func absolutePath(_ path: String) throws(FileError) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: 4096)
    guard unsafe getcwd(&buffer, buffer.count) != nil else { throw FileError("find", path, code: errno) }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
  }

  /// Makes an empty file that only this user can read, or takes all rights of others from an existing one. For files
  /// that a library opens by their path, with a mode of its own.
  public static func makePrivate(_ path: String) throws(FileError) {
    let descriptor = unsafe csystem_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    guard errno == EEXIST else { throw FileError("make", path, code: errno) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw FileError("make", path, code: errno) }
    let mode = status.st_mode & 0o777
    guard status.st_mode & S_IFMT == S_IFREG, mode & 0o077 != 0 else { return }
    // By path, since closing any descriptor of a file would release the locks that this process has on it.
    guard unsafe chmod(path, mode & 0o700) == 0 else { throw FileError("take others' rights from", path, code: errno) }
  }

  public static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Whether something has the name `path`: also a link that leads nowhere at present, since the volume with its target
  /// may be mounted later. Throws where that cannot be told.
  public static func isNamed(_ path: String) throws(FileError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw FileError("look for", path, code: errno) }
    return false
  }

  /// The names in the folder at `path`, sorted, without `.` and `..`.
  public static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw FileError("list", path, code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe String(cString: csystem_entry_name(entry))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// What could not be done with a file, and why.
public struct FileError: Error, CustomStringConvertible {
  public let path: String
  public let code: Int32
  public let description: String

  init(finding: String, _ path: String, code: Int32) {
    self.path = path
    self.code = code
    description = finding
  }

  init(_ action: String, _ path: String, code: Int32) {
    self.path = path
    self.code = code
    description = "cannot \(action) \(path): \(systemMessage(code))"
  }
}
