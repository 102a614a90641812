internal import Base
internal import Bus
internal import CSystem
internal import Glibc

/// An epoll set whose descriptor can be a member of another one.
final class EventSet {
  let descriptor: Int32

  init() throws(ZeroMQError) {
    descriptor = csystem_epoll()
    guard descriptor >= 0 else { throw .system("open a set of descriptors") }
  }

  deinit {
    close(descriptor)
  }

  func add(_ member: Int32, as key: UInt64) throws(ZeroMQError) {
    guard csystem_epoll_add(descriptor, member, key) == 0 else { throw .system("wait for a descriptor") }
  }

  /// Reports when the peer of a connection has gone; false when that cannot be watched.
  func addEnd(of connection: Int32, as key: UInt64) -> Bool {
    csystem_epoll_add_end(descriptor, connection, key) == 0
  }

  func remove(_ member: Int32) { _ = csystem_epoll_remove(descriptor, member) }

  /// The keys of all members with events.
  func takeEvents(_ body: (UInt64) -> Void) {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var count = 16
    while count == 16 {
      var space = keys.mutableSpan
      count = unsafe space.withUnsafeMutableBufferPointer {
        unsafe Int(csystem_epoll_wait(descriptor, $0.baseAddress, Int32($0.count), 0))
      }
      for place in 0..<max(0, count) { body(keys[place]) }
    }
  }
}
