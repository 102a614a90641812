internal import CSystem
internal import Glibc

extension Files {
  /// Calls `edit`, which reads and replaces the file at `path`, while no other process or thread edits the file: of two
  /// editors of one list, the second reads what the first has written.
  ///
  /// Locks another file beside it, which exists only meanwhile, because replacing the file itself makes a new one.
  public static func alone<Result>(with path: String, _ edit: () throws -> Result) throws -> Result {
    let lock = "\(path).lock"
    let descriptor = try take(lock)
    defer {
      // Removed before the lock is released: whoever gets the lock next sees that the file is gone, and makes another
      // one.
      unsafe unlink(lock)
      close(descriptor)
    }
    removeDrafts(of: path)
    return try edit()
  }

  /// Makes a file that holds a secret, unless something has its name; whether it was made now. Of two who make it at a
  /// time one does. What was left of one that was cut short goes, since a secret may be in it.
  @discardableResult
  public static func makeSecret(_ path: String, _ make: () throws -> [UInt8]) throws -> Bool {
    if try isNamed(path) { return false }
    return try alone(with: path) {
      if try isNamed(path) { return false }
      return try writeNew(try make(), to: path, mode: 0o600)
    }
  }

  private static func take(_ lock: String) throws(FileError) -> Int32 {
    while true {
      let descriptor = unsafe csystem_open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw refusal(of: lock, errno) }
      do {
        try self.lock(descriptor, of: lock)
      } catch {
        close(descriptor)
        throw error
      }
      if isFile(lock, descriptor) { return descriptor }
      close(descriptor)
    }
  }

  /// Waits until no other open file of the same name holds the lock.
  static func lock(_ descriptor: Int32, of path: String) throws(FileError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileError("lock", path, code: errno) }
    }
  }

  /// The error of a user who may not open the lock's file. It says what to do; the file is not removed automatically,
  /// since its owner may be at work.
  private static func refusal(of lock: String, _ code: Int32) -> FileError {
    guard code == EACCES, exists(lock) else { return FileError("lock", lock, code: code) }
    let finding =
      "cannot lock \(lock): it is another user's, such as root's; unless a command of theirs is under way, one was cut "
      + "short: remove the file"
    return FileError(finding: finding, lock, code: code)
  }

  /// Whether `path` still names the file that was opened as `descriptor`.
  private static func isFile(_ path: String, _ descriptor: Int32) -> Bool {
    var opened = stat()
    var named = stat()
    guard unsafe fstat(descriptor, &opened) == 0, unsafe stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}
