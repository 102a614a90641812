internal import Base
internal import Glibc

/// Waits until one of several files changes, by inotify and without polling.
final class FileChanges: Sendable {
  private let queue: Int32
  private let wakeUp: (reading: Int32, writing: Int32)

  /// nil if the system gives no more inotify queues, whose number is limited for each user.
  init?() {
    queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    var ends: [Int32] = [-1, -1]
    let failed = unsafe queue < 0 || pipe(&ends) != 0
    wakeUp = (ends[0], ends[1])
    if failed { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    for descriptor in [queue, wakeUp.reading, wakeUp.writing] where descriptor >= 0 { close(descriptor) }
  }

  /// Watches a file. Returns false if it cannot be watched. To be called again after the file was replaced.
  func follow(_ path: String) -> Bool { unsafe inotify_add_watch(queue, path, UInt32(IN_MODIFY)) >= 0 }

  /// Waits until a file has changed or `stop` was called. Returns false if the time has passed before.
  func wait(_ duration: Duration) -> Bool {
    var items = [
      pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&items, 2, Int32(clamping: duration.wholeMilliseconds)) > 0 else { return false }
    var events = [UInt8](repeating: 0, count: 4096)
    while unsafe read(queue, &events, events.count) > 0 {}
    return true
  }

  /// Ends the present wait and all later ones.
  func stop() {
    var byte: UInt8 = 0
    _ = unsafe write(wakeUp.writing, &byte, 1)
  }
}
