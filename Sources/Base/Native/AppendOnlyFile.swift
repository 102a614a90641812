internal import CSystem
internal import Glibc
internal import Synchronization

/// A file to which whole records are appended, also by several processes at a time. A record that was appended survives
/// even if the process is killed right after. A record that could not be appended leaves nothing behind.
///
/// Any of the processes may replace the file by a shorter one, to which all append from then on.
public final class AppendOnlyFile: Sendable {
  /// How to repair a file's end before the next record: a crash may have cut off the last one.
  public enum Repair: Sendable {
    case none
    /// Append these bytes.
    case add([UInt8])
    /// Cut off this many bytes, which are not a whole record.
    case cut(Int)
  }

  private let path: String
  private let repair: @Sendable (_ end: [UInt8]) -> Repair
  private let room: @Sendable (_ count: Int) -> Int
  /// Held while a record is appended: the lock on the file excludes other processes, but not other threads of this one.
  private let opened: Mutex<OpenFile>
  /// How many of a file's last bytes are inspected. Every record is shorter.
  private static let endBytes = 1 << 17

  /// - Parameter repair: finds out how to repair a file's end from its last bytes. By default records are lines.
  public convenience init(
    _ path: String, mode: UInt32 = 0o644,
    repair: @escaping @Sendable (_ end: [UInt8]) -> Repair = { AppendOnlyFile.endOfLine($0) }
  ) throws(FileError) {
    try self.init(path, mode: mode, repair: repair, room: { $0 })
  }

  /// - Parameter room: how many of this many bytes the disk has room for; tests simulate a full disk with it.
  package init(
    _ path: String, mode: UInt32 = 0o644,
    repair: @escaping @Sendable (_ end: [UInt8]) -> Repair = { AppendOnlyFile.endOfLine($0) },
    room: @escaping @Sendable (_ count: Int) -> Int
  ) throws(FileError) {
    self.path = path
    self.repair = repair
    self.room = room
    guard let file = OpenFile(path, O_CREAT, mode: mode) else { throw FileError("open", path, code: errno) }
    opened = Mutex(file)
  }

  /// Ends a line that was cut short. Readers skip such a line.
  public static func endOfLine(_ end: [UInt8]) -> Repair {
    end.isEmpty || end.last == UInt8(ascii: "\n") ? .none : .add([UInt8(ascii: "\n")])
  }

  /// Returns when everything that was appended is on disk.
  public func sync() throws(FileError) {
    // If another process has replaced the file meanwhile, it has put the former content on disk.
    let file = opened.withLock { $0 }
    let isDone = withExtendedLifetime(file) { fsync(file.descriptor) == 0 }
    guard isDone else { throw FileError("write", path, code: errno) }
  }

  /// The size of the file to which the last record was appended.
  public var byteCount: Int {
    get throws(FileError) {
      let file = opened.withLock { $0 }
      return try size(of: file)
    }
  }

  /// Appends a record, as a whole or not at all.
  public func append(_ record: [UInt8]) throws(FileError) {
    try opened.withLock { file throws(FileError) -> Void in
      file = try locked(file)
      defer { file.unlock() }
      try add(record, to: file)
    }
  }

  /// Replaces the file in one step by the bytes that `shorten` returns, while nobody appends to it. Does nothing if the
  /// path names a link, or anything else that is not a regular file.
  public func replace(_ shorten: () throws -> [UInt8]) throws {
    try opened.withLock { file throws -> Void in
      file = try locked(file)
      defer { file.unlock() }
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
      Files.removeDrafts(of: path)
      try Files.write(try shorten(), to: path, mode: status.st_mode & 0o777)
      file.unlock()
      file = OpenFile(path) ?? file
    }
  }

  /// The file that the path names now, locked. It is another one than before if somebody has replaced the file. If the
  /// path names no file any more, the former one is still appended to.
  private func locked(_ known: OpenFile) throws(FileError) -> OpenFile {
    var file = known
    while true {
      try Files.lock(file.descriptor, of: path)
      // Compared by opening it, since what is cached of a folder on another machine may be outdated.
      guard let named = OpenFile(path), let identity = named.identity, identity != file.identity else { return file }
      file.unlock()
      file = named
    }
  }

  private func add(_ record: [UInt8], to file: OpenFile) throws(FileError) {
    let descriptor = file.descriptor
    let (size, missing) = try wholeSize(of: file)
    let bytes = missing + record
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, room($0.count)) }
    guard count != bytes.count else { return }
    let code = count < 0 ? errno : ENOSPC
    // If even this fails, the next record repairs the end.
    if count > 0 { _ = ftruncate(descriptor, off_t(size)) }
    throw FileError("append to", path, code: code)
  }

  private func size(of file: OpenFile) throws(FileError) -> Int {
    guard let status = file.status else { throw FileError("append to", path, code: errno) }
    return Int(status.st_size)
  }

  /// Where the last whole record ends, and which bytes are missing there.
  private func wholeSize(of file: OpenFile) throws(FileError) -> (size: Int, missing: [UInt8]) {
    let descriptor = file.descriptor
    let size = try self.size(of: file)
    let length = min(size, Self.endBytes)
    var end = [UInt8](repeating: 0, count: length)
    if length > 0 {
      guard unsafe pread(descriptor, &end, length, off_t(size - length)) == length else {
        throw FileError("read", path, code: errno)
      }
    }
    switch repair(end) {
    case .none: return (size, [])
    case .add(let missing): return (size, missing)
    case .cut(let count):
      guard ftruncate(descriptor, off_t(size - count)) == 0 else { throw FileError("append to", path, code: errno) }
      return (size - count, [])
    }
  }
}

/// An open file, closed with its last reference.
private final class OpenFile: Sendable {
  let descriptor: Int32

  /// nil when it cannot be opened; `errno` says why.
  init?(_ path: String, _ further: Int32 = 0, mode: UInt32 = 0) {
    let opened = unsafe csystem_open(path, O_RDWR | O_APPEND | O_CLOEXEC | further, mode)
    guard opened >= 0 else { return nil }
    descriptor = opened
  }

  deinit {
    close(descriptor)
  }

  var status: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Device and inode, which together identify an existing file; nil when they cannot be read.
  var identity: [UInt]? { status.map { [UInt($0.st_dev), UInt($0.st_ino)] } }

  func unlock() { _ = flock(descriptor, LOCK_UN) }
}
