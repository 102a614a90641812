public import Base
internal import Synchronization

/// Collects events, for tests to look at.
public final class LogCapture: Sendable {
  private let kept = Mutex<[LogEvent]>([])

  public init() {}

  /// A log that writes to this capture, at every level.
  public func log(clock: Clock = .system) -> Log {
    Log(level: .debug, clock: clock) { [self] event in kept.withLock { $0.append(event) } }
  }

  public var events: [LogEvent] { kept.withLock { $0 } }

  /// The events of this name.
  public func events(named name: String) -> [LogEvent] {
    events.filter { $0.event == name }
  }
}
