public import Base
internal import Synchronization

/// Keeps events for whoever wants to look at them: what tests give to the parts they test.
public final class LogCapture: Sendable {
  private let kept = Mutex<[LogEvent]>([])

  public init() {}

  /// A log that writes here, at every level.
  public func log(clock: Clock = .system) -> Log {
    Log(level: .debug, clock: clock) { [self] event in kept.withLock { $0.append(event) } }
  }

  public var events: [LogEvent] { kept.withLock { $0 } }

  /// The events of this name.
  public func events(named name: String) -> [LogEvent] {
    events.filter { $0.event == name }
  }
}
