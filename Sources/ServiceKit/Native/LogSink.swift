internal import Base
internal import Glibc
internal import Synchronization

/// Writes events, and lines of other programs, to a descriptor, each as one line that other writers cannot interrupt.
///
/// It never waits for a reader: a line that would not fit into a full pipe is dropped, and the next one that fits is
/// preceded by the number of dropped lines. A log must not be able to stop the threads that carry calls.
///
/// A process must have only one sink for each descriptor: two could both see room for one line, and then write two.
public final class LogSink: Sendable {
  private let descriptor: Int32
  private let format: LogFormat
  private let dropped = Mutex(0)

  public init(descriptor: Int32 = 2, format: LogFormat = .logfmt) {
    self.descriptor = descriptor
    self.format = format
  }

  /// A pipe takes a write of up to this many bytes whole or not at all.
  private static let longestLine = 4096

  public func write(_ event: LogEvent) { write(bytes(of: event), at: event.time) }

  /// Writes a line of another program, by the same rule. A line that is longer than any of this process is cut.
  func pass(on line: String, at time: Instant) {
    write(Array(line.utf8.prefix(Self.longestLine - 1)) + [UInt8(ascii: "\n")], at: time)
  }

  private func write(_ line: [UInt8], at time: Instant) {
    dropped.withLock { dropped in
      guard canTake() else {
        dropped += 1
        return
      }
      if dropped > 0 {
        let note = LogEvent(
          time: time, level: .warn, event: "log lines dropped", fields: [LogField("count", dropped.logValue)])
        writeAll(bytes(of: note), to: descriptor)
        dropped = 0
        guard canTake() else {
          dropped = 1
          return
        }
      }
      writeAll(line, to: descriptor)
    }
  }

  private func bytes(of event: LogEvent) -> [UInt8] {
    var line = Array(format.line(event).utf8)
    if line.count >= Self.longestLine {
      // Too many fields: the event and its time are kept, with a note that fields are missing.
      let short = LogEvent(
        time: event.time, level: event.level, event: event.event,
        fields: [LogField("fields_dropped", event.fields.count.logValue)])
      line = Array(format.line(short).utf8.prefix(Self.longestLine - 1))
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// Whether the descriptor takes a whole line now: a file always does, and a pipe does when it has room for one.
  private func canTake() -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLOUT) != 0
  }
}

extension Log {
  /// A log whose events go to a sink.
  init(level: LogLevel, to sink: LogSink) {
    self.init(level: level) { sink.write($0) }
  }
}
