internal import CSystem
internal import Glibc

/// Sockets that are watched together, by numbers of their own.
@safe final class SocketSet {
  let descriptor: Int32

  init() throws(SocketError) {
    descriptor = csystem_epoll()
    guard descriptor >= 0 else { throw SocketError("wait for sockets") }
  }

  deinit {
    close(descriptor)
  }

  func add(_ socket: Int32, as key: UInt64) throws(SocketError) {
    guard csystem_sockets_add(descriptor, socket, key) == 0 else { throw SocketError("wait for a socket") }
  }

  /// Whether the socket also reports that it takes bytes.
  func watchRoom(of socket: Int32, as key: UInt64, _ isWanted: Bool) {
    _ = csystem_sockets_want_room(descriptor, socket, key, isWanted ? 1 : 0)
  }

  /// Passes on the keys of sockets with something to report, a few at a time; false when there was none.
  func report(_ body: (UInt64) -> Void) -> Bool {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe csystem_epoll_wait(descriptor, $0.baseAddress, Int32($0.count), 0)
    }
    for place in 0..<max(0, Int(count)) { body(keys[place]) }
    return count > 0
  }
}

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
