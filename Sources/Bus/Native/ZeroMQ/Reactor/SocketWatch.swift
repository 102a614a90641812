internal import Base
internal import CSystem
internal import Glibc

/// Where a reactor's thread sleeps until a socket has an event, a time has come, or another thread wakes it.
///
/// A socket's descriptor reports events for libzmq, not messages: once libzmq has processed the event, in any receive
/// or send, the descriptor is quiet although messages may wait; and it reports each event once. So after an event, and
/// also after each send, the socket must be received from until nothing comes, before the thread sleeps.
final class SocketWatch: Sendable {
  private let set: Int32
  private let wakeup: Wakeup

  init() throws(ZeroMQError) {
    wakeup = try Wakeup()
    set = csystem_epoll()
    guard set >= 0 else { throw .system("open what waits for sockets") }
    try add(wakeup.descriptor, as: Self.wakeupKey)
  }

  deinit {
    close(set)
  }

  private static let wakeupKey = UInt64.max

  func add(_ descriptor: Int32, as key: UInt64) throws(ZeroMQError) {
    guard csystem_epoll_add(set, descriptor, key) == 0 else { throw .system("wait for a socket") }
  }

  /// To be called while the descriptor is still open: its number may be reused right after.
  func remove(_ descriptor: Int32) {
    _ = csystem_epoll_remove(set, descriptor)
  }

  /// Wakes the thread, or keeps it from sleeping if it is about to.
  func wake() { wakeup.signal() }

  /// Sleeps until there are events, at most until `time`; notes the key of each socket that has one.
  func sleep(until time: MonotonicTime?, _ clock: Clock, _ note: (UInt64) -> Void) {
    // Rounded up: a thread that wakes too early would find nothing to do.
    let milliseconds = time.map { (max(0, ($0 - clock.monotonic).wholeNanoseconds) + 999_999) / 1_000_000 }
    wait(milliseconds.map { Int32(clamping: $0) } ?? -1, note)
  }

  /// Notes the events that there are, without waiting.
  func poll(_ note: (UInt64) -> Void) { wait(0, note) }

  private func wait(_ milliseconds: Int32, _ note: (UInt64) -> Void) {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe csystem_epoll_wait(set, $0.baseAddress, Int32($0.count), milliseconds)
    }
    // After a signal the thread takes a turn, and comes back.
    precondition(count >= 0 || errno == EINTR, "waiting for messages failed: error \(errno)")
    for place in 0..<max(0, Int(count)) {
      if keys[place] == Self.wakeupKey { wakeup.clear() } else { note(keys[place]) }
    }
  }
}
