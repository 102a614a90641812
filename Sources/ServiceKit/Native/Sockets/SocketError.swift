internal import Glibc

/// A socket cannot be opened or set up.
package struct SocketError: Error, CustomStringConvertible {
  package let description: String

  /// Adds the reason that the system gives.
  init(_ action: String) {
    description = "cannot \(action): \(unsafe String(cString: strerror(errno)))"
  }

  init(description: String) {
    self.description = description
  }
}
