internal import Base
internal import CSystem
internal import Glibc

/// Where a reactor's threads sleep until a socket has an event, a time has come, or another thread wakes them, and
/// where those rest that are not needed for that. Each event wakes one sleeping thread, so any number may sleep here. A
/// thread that rests hears only of the watchdog and of whoever calls it.
///
/// A socket's descriptor reports events for libzmq, not messages: once libzmq has processed the event, in any receive
/// or send, the descriptor is quiet although messages may wait; and it reports each event once. So after an event, and
/// also after each send, the socket must be received from until nothing comes, before all threads sleep.
final class SocketWatch: Sendable {
  private let set: Int32
  private let wakeup: Wakeup
  private let timer: Int32
  /// The epoll set where threads rest.
  private let reserve: Int32
  private let call: Wakeup
  private let watchdog: Int32

  init() throws(ZeroMQError) {
    wakeup = try Wakeup()
    call = try Wakeup()
    set = csystem_epoll()
    reserve = csystem_epoll()
    timer = csystem_timer()
    watchdog = csystem_timer()
    guard [set, reserve, timer, watchdog].allSatisfy({ $0 >= 0 }) else {
      throw .system("open what waits for sockets")
    }
    try add(wakeup.descriptor, as: Self.wakeupKey)
    try add(timer, as: Self.timerKey)
    try add(watchdog, as: Self.watchdogKey)
    guard csystem_epoll_add(reserve, call.descriptor, Self.wakeupKey) == 0,
      csystem_epoll_add(reserve, watchdog, Self.watchdogKey) == 0
    else { throw .system("let threads rest") }
  }

  deinit {
    for descriptor in [set, reserve, timer, watchdog] { close(descriptor) }
  }

  private static let wakeupKey = UInt64.max
  private static let timerKey = UInt64.max - 1
  private static let watchdogKey = UInt64.max - 2

  func add(_ descriptor: Int32, as key: UInt64) throws(ZeroMQError) {
    guard csystem_epoll_add(set, descriptor, key) == 0 else { throw .system("wait for a socket") }
  }

  /// To be called while the descriptor is still open: its number may be reused right after.
  func remove(_ descriptor: Int32) {
    _ = csystem_epoll_remove(set, descriptor)
  }

  /// Wakes a sleeping thread, or the next one that is about to sleep.
  func wake() { wakeup.signal() }

  /// Wakes a resting thread, or the next one that is about to rest.
  func callReserve() { call.signal() }

  /// Wakes a sleeping and a resting thread at this time instead of the time that was set before; nil: never.
  func setWatchdog(_ time: MonotonicTime?) {
    // A time of zero disarms the timer.
    _ = csystem_timer_set(watchdog, time.map { max(1, $0.nanoseconds) } ?? 0)
  }

  /// Wakes a sleeping thread at this time instead of the time that was set before.
  func setTimer(_ time: MonotonicTime) {
    // A time of zero would disarm the timer.
    _ = csystem_timer_set(timer, max(1, time.nanoseconds))
  }

  /// Sleeps until there are events.
  func sleep() -> ReactorEvents { events(of: set, wakenBy: wakeup, within: -1) }

  /// Returns the events without waiting.
  func poll() -> ReactorEvents { events(of: set, wakenBy: wakeup, within: 0) }

  /// Rests until another thread or the watchdog wakes this one.
  func rest() -> ReactorEvents { events(of: reserve, wakenBy: call, within: -1) }

  private func events(of set: Int32, wakenBy wakeup: Wakeup, within milliseconds: Int32) -> ReactorEvents {
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
        clear(timer)
        events.timerFired = true
      case Self.watchdogKey:
        clear(watchdog)
        events.watchdogFired = true
      case let key: events.keys.append(key)
      }
    }
    return events
  }

  private func clear(_ timer: Int32) {
    var times: UInt64 = 0
    _ = unsafe read(timer, &times, MemoryLayout.size(ofValue: times))
  }
}
