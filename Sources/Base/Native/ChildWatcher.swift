internal import CSystem
internal import Glibc

/// Reads a child's output until it ends, then reaps it. Runs on a thread of its own.
struct ChildWatcher: Sendable {
  let state: ChildState
  let process: Int32
  let outputs: [ChildOutputEnd]
  let whenEnded: @Sendable (ProcessExit) -> Void

  func run() {
    let death = csystem_pidfd_open(process)
    precondition(death >= 0, "pidfd_open needs Linux 5.3 or later")
    var readers = outputs.map { OutputReader($0) }
    while true {
      var polled = [pollfd(fd: death, events: Int16(POLLIN), revents: 0)]
      polled += readers.map { pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&polled, nfds_t(polled.count), -1)
      // Even after the child's death, first reads the output that it has left. Not to the end of the file, since
      // programs that the child has started may hold the pipe open for ever.
      for index in readers.indices where readers[index].isOpen { readers[index].readWhatIsThere() }
      if polled[0].revents != 0 { break }
    }
    for index in readers.indices { readers[index].finish() }
    close(death)
    whenEnded(state.reap())
  }
}

private struct OutputReader {
  let descriptor: Int32
  private(set) var isOpen = true
  private let onLine: @Sendable (String) -> Void
  private var splitter = LineSplitter()
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  init(_ end: ChildOutputEnd) {
    descriptor = end.descriptor
    onLine = end.onLine
    _ = csystem_set_nonblocking(descriptor)
  }

  mutating func readWhatIsThere() {
    while isOpen {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        // EAGAIN: nothing more for now. Any other error ends the output.
        isOpen = errno == EAGAIN
        return
      }
      guard count > 0 else {
        isOpen = false
        return
      }
      for line in splitter.lines(completedBy: buffer[..<count]) { onLine(line) }
    }
  }

  mutating func finish() {
    readWhatIsThere()
    if let line = splitter.rest() { onLine(line) }
    close(descriptor)
  }
}
