internal import Base
internal import CZMQ
internal import Glibc

/// Sleeps until one of several sockets, or the wakeup, may have something: one system call, however many sockets there are.
///
/// A socket's descriptor tells of news for libzmq, and not of messages: once libzmq has taken in the news, in any receive or
/// send, the descriptor is quiet although messages may wait. So whoever uses this must have received from every socket until
/// nothing came since it was last used, before each sleep. `zmq_poll` looks for itself, at several system calls a socket.
@safe struct SocketWatch {
  private var items: [pollfd]
  private let wakeup: Wakeup

  init(wakeup: Wakeup) {
    self.wakeup = wakeup
    items = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
  }

  /// Adds a socket, which must stay open as long as this watch is used; the answer is where to find its news.
  mutating func add(_ socket: borrowing Socket) throws(ZeroMQError) -> Int {
    items.append(pollfd(fd: try socket.descriptor(), events: Int16(POLLIN), revents: 0))
    return items.count - 1
  }

  func hasNews(_ index: Int) -> Bool { items[index].revents != 0 }

  /// Takes the news as read; what has not been received yet is news again at the next look.
  mutating func forgetNews() {
    for index in items.indices { items[index].revents = 0 }
  }

  /// Looks without waiting.
  mutating func look() throws(ZeroMQError) { try wait(0) }

  /// Waits for something, at most for so many nanoseconds; nil waits for as long as it takes.
  mutating func wait(_ nanoseconds: Int64?) throws(ZeroMQError) {
    let milliseconds = nanoseconds.map { max(0, ($0 + 999_999) / 1_000_000) } ?? -1
    let count = nfds_t(items.count)
    // A signal interrupts; starting the wait again makes it longer at worst.
    while unsafe poll(&items, count, Int32(clamping: milliseconds)) < 0 {
      guard errno == EINTR else { throw .system("wait for messages") }
    }
    if items[0].revents != 0 { wakeup.clear() }
  }
}
