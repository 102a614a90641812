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

  /// Reports each time that something has come.
  package func add(_ member: Int32, as key: UInt64) throws(EventSetError) {
    guard csystem_epoll_add(descriptor, member, key) == 0 else { throw EventSetError("wait for a descriptor") }
  }

  /// Reports as long as there is something to read.
  package func addConnection(_ connection: Int32, as key: UInt64) throws(EventSetError) {
    guard csystem_sockets_add(descriptor, connection, key) == 0 else { throw EventSetError("wait for a connection") }
  }

  /// Whether the connection also reports that it takes bytes.
  package func watchRoom(of connection: Int32, as key: UInt64, _ isWanted: Bool) {
    _ = csystem_sockets_want_room(descriptor, connection, key, isWanted ? 1 : 0)
  }

  /// Reports only when the peer of a connection has gone; false when that cannot be watched.
  package func addEnd(of connection: Int32, as key: UInt64) -> Bool {
    csystem_epoll_add_end(descriptor, connection, key) == 0
  }

  /// Passes on the keys of members with something to report, a few at a time; returns how many those were.
  package func takeSome(_ body: (UInt64) -> Void) -> Int {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe Int(csystem_epoll_wait(descriptor, $0.baseAddress, Int32($0.count), 0))
    }
    for place in 0..<max(0, count) { body(keys[place]) }
    return max(0, count)
  }

  /// Passes on the keys of all members that report once.
  package func takeAll(_ body: (UInt64) -> Void) {
    while takeSome(body) == Self.most {}
  }

  private static let most = 16
}

/// Descriptors cannot be watched.
package struct EventSetError: Error, CustomStringConvertible {
  package let description: String

  /// With the reason that the system gives.
  init(_ action: String) {
    description = "cannot \(action): \(unsafe String(cString: strerror(errno)))"
  }
}
