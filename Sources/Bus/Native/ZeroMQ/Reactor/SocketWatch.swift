internal import Base
internal import CSystem
internal import Glibc

/// Where a reactor's threads sleep until a socket has an event, a time has come, or another thread wakes them. Each
/// event wakes one sleeping thread, so any number may sleep here.
///
/// A socket's descriptor reports events for libzmq, not messages: once libzmq has processed the event, in any receive
/// or send, the descriptor is quiet although messages may wait; and it reports each event once. So after an event, and
/// also after each send, the socket must be received from until nothing comes, before all threads sleep.
final class SocketWatch: Sendable {
  private let set: Int32
  private let wakeup: Wakeup
  private let timer: Int32

  init() throws(ZeroMQError) {
    wakeup = try Wakeup()
    set = csystem_epoll()
    timer = csystem_timer()
    guard set >= 0, timer >= 0 else { throw .system("open what waits for sockets") }
    try add(wakeup.descriptor, as: Self.wakeupKey)
    try add(timer, as: Self.timerKey)
  }

  deinit {
    for descriptor in [set, timer] { close(descriptor) }
  }

  private static let wakeupKey = UInt64.max
  private static let timerKey = UInt64.max - 1

  func add(_ descriptor: Int32, as key: UInt64) throws(ZeroMQError) {
    guard csystem_epoll_add(set, descriptor, key) == 0 else { throw .system("wait for a socket") }
  }

  /// To be called while the descriptor is still open: its number may be reused right after.
  func remove(_ descriptor: Int32) {
    _ = csystem_epoll_remove(set, descriptor)
  }

  /// Wakes a sleeping thread, or the next one that is about to sleep.
  func wake() { wakeup.signal() }

  /// Wakes a sleeping thread at this time instead of the time that was set before.
  func setTimer(_ time: MonotonicTime) {
    // A time of zero would disarm the timer.
    _ = csystem_timer_set(timer, max(1, time.nanoseconds))
  }

  /// Sleeps until there are events.
  func sleep() -> ReactorEvents { events(within: -1) }

  /// Returns the events without waiting.
  func poll() -> ReactorEvents { events(within: 0) }

  private func events(within milliseconds: Int32) -> ReactorEvents {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe csystem_epoll_wait(set, $0.baseAddress, Int32($0.count), milliseconds)
    }
    var events = ReactorEvents()
    // After a signal the thread asks the schedule again.
    precondition(count >= 0 || errno == EINTR, "waiting for messages failed: error \(errno)")
    for place in 0..<max(0, Int(count)) {
      switch keys[place] {
      case Self.wakeupKey:
        wakeup.clear()
        events.wasWoken = true
      case Self.timerKey:
        var times: UInt64 = 0
        _ = unsafe read(timer, &times, MemoryLayout.size(ofValue: times))
        events.timerFired = true
      case let key: events.keys.append(key)
      }
    }
    return events
  }
}
