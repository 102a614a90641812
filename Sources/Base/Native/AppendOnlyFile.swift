internal import CSystem
internal import Glibc
internal import Synchronization

/// A file to which whole records are added, also by several processes at a time. A record that was added survives even
/// if the process is killed right after; of one that could not be added nothing stays.
///
/// Any of them may replace the file by a shorter one; all add to that from then on.
public final class AppendOnlyFile: Sendable {
  /// What a file's end needs before a record can follow it: a crash may have come in the middle of a record.
  public enum Repair: Sendable {
    case none
    /// These bytes are missing.
    case add([UInt8])
    /// So many bytes are no record.
    case cut(Int)
  }

  private let path: String
  private let repair: @Sendable (_ end: [UInt8]) -> Repair
  private let room: @Sendable (_ count: Int) -> Int
  /// One record after the other: the lock on the file keeps other processes out, and not this one's other threads.
  private let opened: Mutex<OpenFile>
  /// How many of a file's last bytes are looked at. No record is as long.
  private static let endBytes = 1 << 17

  /// - Parameter repair: what a file's last bytes need; records are lines unless something else is said.
  public convenience init(
    _ path: String, mode: UInt32 = 0o644,
    repair: @escaping @Sendable (_ end: [UInt8]) -> Repair = { AppendOnlyFile.endOfLine($0) }
  ) throws(FileError) {
    try self.init(path, mode: mode, repair: repair, room: { $0 })
  }

  /// - Parameter room: how many of so many bytes the disk takes, for tests.
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

  /// Ends a line that was cut short: readers of lines pass over it.
  public static func endOfLine(_ end: [UInt8]) -> Repair {
    end.isEmpty || end.last == UInt8(ascii: "\n") ? .none : .add([UInt8(ascii: "\n")])
  }

  /// Returns when everything that was added is on disk.
  public func sync() throws(FileError) {
    // Who replaced the file meanwhile has put on disk what was in it.
    let file = opened.withLock { $0 }
    let isDone = withExtendedLifetime(file) { fsync(file.descriptor) == 0 }
    guard isDone else { throw FileError("write", path, code: errno) }
  }

  /// How many bytes the file has to which a record was added last.
  public var byteCount: Int {
    get throws(FileError) {
      let file = opened.withLock { $0 }
      return try size(of: file)
    }
  }

  /// Adds a record, all of it or nothing.
  public func append(_ record: [UInt8]) throws(FileError) {
    try opened.withLock { file throws(FileError) -> Void in
      file = try locked(file)
      defer { file.unlock() }
      try add(record, to: file)
    }
  }

  /// Replaces the file in one step by what `shorten` makes of it, while nobody adds to it. A link to a file is left as
  /// it is, and so is what is no file.
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

  /// The file that the path names, locked: this one, unless somebody has replaced it. One that was put away is still
  /// added to.
  private func locked(_ known: OpenFile) throws(FileError) -> OpenFile {
    var file = known
    while true {
      try Files.lock(file.descriptor, of: path)
      // By opening it: what is known of a folder on another machine may be old.
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
    // Where even that fails, the next record repairs the end.
    if count > 0 { _ = ftruncate(descriptor, off_t(size)) }
    throw FileError("append to", path, code: code)
  }

  private func size(of file: OpenFile) throws(FileError) -> Int {
    guard let status = file.status else { throw FileError("append to", path, code: errno) }
    return Int(status.st_size)
  }

  /// Where the last whole record ends, and what is missing there.
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

/// A file that is open for as long as somebody uses it.
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

  /// What no other file has that is there; nil for one that is gone.
  var identity: [UInt]? { status.map { [UInt($0.st_dev), UInt($0.st_ino)] } }

  func unlock() { _ = flock(descriptor, LOCK_UN) }
}
