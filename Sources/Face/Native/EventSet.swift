internal import CSockets
internal import CSystem
internal import Glibc

/// An epoll set whose descriptor can be a member of another one: how a door watches all its sockets at once.
@safe package final class EventSet {
  package let descriptor: Int32

  package init() throws(EventSetError) {
    descriptor = csystem_epoll()
    guard descriptor >= 0 else { throw EventSetError("wait for sockets") }
  }

  deinit {
    close(descriptor)
  }

  /// Watches a descriptor: it is reported once for each time that something arrives (edge-triggered).
  package func add(_ member: Int32, as key: UInt64) throws(EventSetError) {
    guard csystem_epoll_add(descriptor, member, key) == 0 else { throw EventSetError("wait for a descriptor") }
  }

  /// Watches a connection: it is reported as long as there is something to read (level-triggered).
  package func addConnection(_ connection: Int32, as key: UInt64) throws(EventSetError) {
    guard csockets_watch(descriptor, 1, connection, key, 1, 0) == 0 else {
      throw EventSetError("wait for a connection")
    }
  }

  /// Sets whether a connection is reported while there is something to read, and while it can be written to. One that
  /// is broken is always reported.
  package func watch(_ connection: Int32, as key: UInt64, input: Bool, room: Bool) {
    _ = csockets_watch(descriptor, 0, connection, key, input ? 1 : 0, room ? 1 : 0)
  }

  /// How many members are reported at a time.
  package static let most = 16

  /// Calls `body` with the keys of at most `most` reported members; returns how many there were.
  package func takeSome(_ body: (UInt64) -> Void) -> Int {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe Int(csystem_epoll_wait(descriptor, $0.baseAddress, Int32($0.count), 0))
    }
    for place in 0..<max(0, count) { body(keys[place]) }
    return max(0, count)
  }
}

/// Thrown when descriptors cannot be watched.
package struct EventSetError: Error, CustomStringConvertible {
  package let description: String

  /// Adds the reason that the system gives.
  init(_ action: String) {
    description = "cannot \(action): \(unsafe String(cString: strerror(errno)))"
  }
}
