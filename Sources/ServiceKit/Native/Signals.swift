internal import Base
internal import CSystem
internal import Glibc

/// Passes signals that ask the process to end to a thread on which any code may run.
enum Signals {
  /// Calls `handle` with the name of each SIGTERM, SIGINT or SIGHUP that arrives from now on. Once per process.
  static func watch(_ handle: @escaping @Sendable (_ name: String) -> Void) {
    // Writing to a peer that has closed the connection then returns an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    var source: Int32 = -1
    for number in names.keys { source = csystem_read_signal(number) }
    precondition(source >= 0, "signals cannot be handled: \(systemMessage(errno))")
    NativeThread.start(name: "signals", stackBytes: 256 << 10) { [source] in
      var number: UInt8 = 0
      while true {
        let count = unsafe read(source, &number, 1)
        if count == 1 { handle(names[Int32(number)] ?? "signal \(number)") }
      }
    }
  }

  private static let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]
}

/// Ends this process at once. What it has said is written: nothing is said through buffers of the C library.
func endProcess(_ code: Int32) -> Never {
  // Threads may still be ending. Were libraries cleaned up, as `exit` does, a thread that gives back what it had of
  // OpenSSL could crash.
  _exit(code)
}
