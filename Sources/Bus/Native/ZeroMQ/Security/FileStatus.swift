internal import Glibc

/// What distinguishes the versions of a file, and its permissions. A change of owner is a new version: what could not
/// be read before may be readable now.
package struct FileStatus: Equatable, Sendable {
  /// The permission bits.
  package let mode: UInt32
  private let inode: UInt64
  private let size: Int64
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int
  private let owner: UInt32
  private let group: UInt32
  /// When the content of the file or its metadata changed last: nobody can set this back.
  private let changedSeconds: Int
  private let changedNanoseconds: Int

  /// Nil when there is nothing at `path`.
  package init?(of path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return nil }
    mode = information.st_mode & 0o7777
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    modifiedSeconds = information.st_mtim.tv_sec
    modifiedNanoseconds = information.st_mtim.tv_nsec
    owner = information.st_uid
    group = information.st_gid
    changedSeconds = information.st_ctim.tv_sec
    changedNanoseconds = information.st_ctim.tv_nsec
  }
}
