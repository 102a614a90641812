import Base
import Glibc
import Testing

extension TemporaryFolder {
  func mode(of name: String) -> UInt32 {
    var status = stat()
    unsafe lstat(file(name), &status)
    return status.st_mode & 0o7777
  }

  func setMode(_ mode: UInt32, of name: String) {
    unsafe chmod(file(name), mode)
  }

  func link(_ name: String, to target: String) {
    unsafe symlink(file(target), file(name))
  }
}
