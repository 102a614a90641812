public import Base
internal import Synchronization

/// What a process offers to its parts.
public final class ServiceHost: Sendable {
  public let name: String
  /// The settings of the process itself.
  public let settings: Settings<ProcessSettings>
  public let log: Log
  /// The sink that the log writes to. Lines of supervised programs are passed to it as well.
  package let lines: LogSink
  public let metrics: Metrics
  public let readiness: Readiness
  public let lifecycle: Lifecycle
  public let clock: Base.Clock
  public let randomness: Randomness
  /// The settings of the bus; nil for a process that does not use it.
  let busSettings: Settings<BusSettings>?
  let membership = BusMembership()
  private let announced = Mutex<[String]>([])
  let endRequest = EndRequest()

  init(
    name: String, settings: Settings<ProcessSettings>, bus: Settings<BusSettings>?, log: Log, lines: LogSink,
    clock: Base.Clock = .system,
    randomness: Randomness = .system
  ) {
    self.name = name
    self.settings = settings
    busSettings = bus
    self.log = log
    self.lines = lines
    metrics = Metrics()
    self.clock = clock
    self.randomness = randomness
    readiness = Readiness()
    lifecycle = Lifecycle(log: log, clock: clock)
  }

  /// Ends the process in order and with a failure, because it cannot do its work any longer: its supervisor starts it
  /// again.
  public func giveUp(because reason: String) {
    _ = endRequest.make(reason, failing: true)
  }

  /// The memory that the process uses now.
  public var residentBytes: Int { ProcessUsage.current.residentBytes }

  /// Calls `look` again and again, pausing for about as long as it returns, until it returns nil or the process is
  /// asked to end. It shares its thread with all other looks of the process.
  public func repeatedly(_ look: @escaping @Sendable () -> Duration?) {
    Rounds.repeat { [endRequest] in endRequest.isMade ? nil : look() }
  }

  /// Adds a few words, such as an address, to `readyLine`.
  public func announce(_ words: String) {
    announced.withLock { $0.append(words) }
  }

  /// The line on standard output that announces that the process is ready: the program that started it waits for this
  /// line.
  var readyLine: String {
    ([ReadyLine.prefix] + announced.withLock { $0 }).joined(separator: ReadyLine.separator)
  }
}

/// The one line that a process writes to standard output: `ready`, and its addresses.
package enum ReadyLine {
  static let prefix = "ready"
  static let separator = "   "

  /// The announcement in `line`; nil when it is another line.
  package static func announcement(in line: String) -> String? {
    if line == prefix { return "" }
    return line.hasPrefix(prefix + separator) ? String(line.dropFirst(prefix.count + separator.count)) : nil
  }
}
