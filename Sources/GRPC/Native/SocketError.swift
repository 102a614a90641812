internal import Glibc

/// A socket cannot be had.
struct SocketError: Error, CustomStringConvertible {
  let description: String

  /// With the reason that the system gives.
  init(_ action: String) {
    description = "cannot \(action): \(unsafe String(cString: strerror(errno)))"
  }

  init(description: String) {
    self.description = description
  }
}
