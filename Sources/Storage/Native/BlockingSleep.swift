internal import Glibc

/// Sleep for threads that belong to this library; tasks use `Task.sleep`.
enum BlockingSleep {
  static func milliseconds(_ count: Int64) {
    var time = timespec(tv_sec: Int(count / 1000), tv_nsec: Int(count % 1000) * 1_000_000)
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
  }
}
