internal import Base
internal import CSystem
internal import Glibc

/// An eventfd: other threads wake the thread that sleeps on it.
package final class Wakeup: Sendable {
  package let descriptor: Int32

  package init() throws(ZeroMQError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { throw .system("open an eventfd") }
  }

  deinit {
    close(descriptor)
  }

  package func signal() {
    // The counter cannot overflow by steps of one, and one pending signal is enough.
    _ = eventfd_write(descriptor, 1)
  }

  package func clear() {
    var count: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &count)
  }

  /// Sleeps until the next signal, at most for `duration`; false when the time has passed.
  package func wait(_ duration: Duration) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&item, 1, Int32(clamping: duration.wholeMilliseconds)) > 0 else { return false }
    clear()
    return true
  }
}
