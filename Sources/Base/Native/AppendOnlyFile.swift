internal import CSystem
internal import Glibc

/// A file to which whole records are added. A record that was added survives even if the process is killed right after.
public final class AppendOnlyFile: Sendable {
  private let path: String
  private let descriptor: Int32

  public init(_ path: String, mode: UInt32 = 0o644) throws(FileError) {
    self.path = path
    descriptor = unsafe csystem_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError("open", path, code: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Adds a record. The kernel keeps the records of several writers apart, as each is a single write.
  public func append(_ record: [UInt8]) throws(FileError) {
    let count = unsafe record.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == record.count else { throw FileError("append to", path, code: count < 0 ? errno : ENOSPC) }
  }
}
