internal import Base
internal import CZMQ
internal import Glibc

/// Waits until one of several sockets has a message, or the wakeup was signalled.
///
/// It uses `zmq_poll`: a socket's own descriptor signals edges, not levels, and only libzmq knows which of them a send
/// has consumed meanwhile.
@safe package struct Poller {
  private var items: [zmq_pollitem_t]
  private let wakeup: Wakeup

  package init(wakeup: Wakeup) {
    self.wakeup = wakeup
    unsafe items = [zmq_pollitem_t(socket: nil, fd: wakeup.descriptor, events: Int16(ZMQ_POLLIN), revents: 0)]
  }

  /// Adds a socket, which must stay open as long as this poller is used.
  package mutating func add(_ socket: borrowing Socket) {
    unsafe items.append(zmq_pollitem_t(socket: socket.handle, fd: -1, events: Int16(ZMQ_POLLIN), revents: 0))
  }

  /// Adds a descriptor, which must stay open as long as this poller is used.
  package mutating func add(descriptor: Int32) {
    unsafe items.append(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
  }

  /// Waits until something is ready, at most for `duration`; nil waits without a limit.
  package mutating func wait(_ duration: Duration?) throws(ZeroMQError) {
    let milliseconds = duration.map { max(0, ($0.wholeNanoseconds + 999_999) / 1_000_000) } ?? -1
    let count = unsafe Int32(items.count)
    while unsafe zmq_poll(&items, count, Int(milliseconds)) < 0 {
      // A signal interrupts; the wait starts again and may become longer.
      guard zmq_errno() == EINTR else { throw .last("wait for messages") }
    }
    if unsafe items[0].revents != 0 { wakeup.clear() }
  }
}
