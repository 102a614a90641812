internal import CSystem
internal import Glibc
internal import Synchronization

/// A file to which whole records are added, also by several processes at a time. A record that was added survives even
/// if the process is killed right after; of one that could not be added nothing stays.
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
  private let descriptor: Int32
  private let repair: @Sendable (_ end: [UInt8]) -> Repair
  private let room: @Sendable (_ count: Int) -> Int
  /// One record after the other: the lock on the file keeps other processes out, and not this one's other threads.
  private let turn = Mutex(())
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
    descriptor = unsafe csystem_open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Ends a line that was cut short: readers of lines pass over it.
  public static func endOfLine(_ end: [UInt8]) -> Repair {
    end.isEmpty || end.last == UInt8(ascii: "\n") ? .none : .add([UInt8(ascii: "\n")])
  }

  /// Returns when everything that was added is on disk.
  public func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("write", path, code: errno) }
  }

  /// Adds a record, all of it or nothing.
  public func append(_ record: [UInt8]) throws(FileError) {
    try turn.withLock { _ throws(FileError) -> Void in
      try Files.lock(descriptor, of: path)
      defer { _ = flock(descriptor, LOCK_UN) }
      let (size, missing) = try wholeSize()
      let bytes = missing + record
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, room($0.count)) }
      guard count != bytes.count else { return }
      let code = count < 0 ? errno : ENOSPC
      // Where even that fails, the next record repairs the end.
      if count > 0 { _ = ftruncate(descriptor, off_t(size)) }
      throw FileError("append to", path, code: code)
    }
  }

  /// Where the last whole record ends, and what is missing there.
  private func wholeSize() throws(FileError) -> (size: Int, missing: [UInt8]) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("append to", path, code: errno) }
    let size = Int(status.st_size)
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
