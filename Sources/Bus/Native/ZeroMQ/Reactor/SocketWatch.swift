internal import Base
internal import CSystem
internal import Glibc

/// Where a reactor's threads sleep until a socket has news, a time has come, or somebody rings. Each piece of news wakes one of
/// those who sleep, so that as many may sleep here as want to.
///
/// A socket's descriptor tells of news for libzmq, and not of messages: once libzmq has taken in the news, in any receive or
/// send, the descriptor is quiet although messages may wait; and it tells once. So whoever was told must have received from that
/// socket until nothing came, also after each send, before all sleep.
final class SocketWatch: Sendable {
  private let set: Int32
  private let bell: Wakeup
  private let timer: Int32

  init() throws(ZeroMQError) {
    bell = try Wakeup()
    set = csystem_epoll()
    timer = csystem_timer()
    guard set >= 0, timer >= 0 else { throw .system("open what waits for sockets") }
    try add(bell.descriptor, as: Self.bellKey)
    try add(timer, as: Self.timerKey)
  }

  deinit {
    for descriptor in [set, timer] { close(descriptor) }
  }

  private static let bellKey = UInt64.max
  private static let timerKey = UInt64.max - 1

  func add(_ descriptor: Int32, as key: UInt64) throws(ZeroMQError) {
    guard csystem_epoll_add(set, descriptor, key) == 0 else { throw .system("wait for a socket") }
  }

  /// To be called while the descriptor is still open: its number may be another's right after.
  func remove(_ descriptor: Int32) {
    _ = csystem_epoll_remove(set, descriptor)
  }

  /// Wakes one who sleeps, or the next who wants to.
  func ring() { bell.signal() }

  /// Wakes one who sleeps when the time comes, and not at the time that was set before.
  func setAlarm(_ time: MonotonicTime) {
    // A time of zero would mean never.
    _ = csystem_timer_set(timer, max(1, time.nanoseconds))
  }

  /// Sleeps until there is news.
  func sleep() -> ReactorNews { news(within: -1) }

  /// The news that there is.
  func look() -> ReactorNews { news(within: 0) }

  private func news(within milliseconds: Int32) -> ReactorNews {
    var keys: InlineArray<16, UInt64> = .init(repeating: 0)
    var space = keys.mutableSpan
    let count = unsafe space.withUnsafeMutableBufferPointer {
      unsafe csystem_epoll_wait(set, $0.baseAddress, Int32($0.count), milliseconds)
    }
    var news = ReactorNews()
    // A signal interrupts; whoever slept asks again what there is to do.
    precondition(count >= 0 || errno == EINTR, "waiting for messages failed: error \(errno)")
    for place in 0..<max(0, Int(count)) {
      switch keys[place] {
      case Self.bellKey:
        bell.clear()
        news.rang = true
      case Self.timerKey:
        var times: UInt64 = 0
        _ = unsafe read(timer, &times, MemoryLayout.size(ofValue: times))
        news.timeCame = true
      case let key: news.keys.append(key)
      }
    }
    return news
  }
}
