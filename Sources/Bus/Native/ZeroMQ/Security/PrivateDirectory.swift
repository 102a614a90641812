internal import Glibc

/// A directory that only its user can enter: the safety of ipc sockets and key files in it depends on that.
package enum PrivateDirectory {
  /// Creates the directory if it is missing, and refuses it when others own it or may enter it.
  package static func ensure(_ path: String) throws(ZeroMQError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw .system("make the directory \(path)") }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw .system("look at \(path)") }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw ZeroMQError(.init(number: ENOTDIR), attempt: "use \(path) as a directory (links are not followed)")
    }
    guard status.st_uid == geteuid() else {
      throw ZeroMQError(.notPermitted, attempt: "use \(path), which belongs to user \(status.st_uid)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ZeroMQError(.notPermitted, attempt: "use \(path), which others may enter (chmod 700 \(path) closes it)")
    }
  }

  /// The endpoint of a socket of that name in the directory, which is created or checked first.
  package static func endpoint(_ name: String, in path: String) throws(ZeroMQError) -> String {
    try ensure(path)
    let file = "\(path)/\(name)"
    guard file.utf8.count <= 107 else {
      throw ZeroMQError(.init(number: ENAMETOOLONG), attempt: "use \(file) as a socket (107 bytes at most)")
    }
    return "ipc://\(file)"
  }
}
