public import Base
internal import Synchronization

/// What a process offers to the parts it is built from.
public final class ServiceHost: Sendable {
  public let name: String
  /// What was set for the process itself.
  public let settings: Settings<ProcessSettings>
  public let log: Log
  public let metrics: Metrics
  public let readiness: Readiness
  public let lifecycle: Lifecycle
  public let clock: Base.Clock
  public let randomness: Randomness
  /// Where the bus is; nil for a process that has no use for it.
  let busSettings: Settings<BusSettings>?
  let membership = BusMembership()
  private let announced = Mutex<[String]>([])
  let endRequest = EndRequest()

  init(
    name: String, settings: Settings<ProcessSettings>, bus: Settings<BusSettings>?, log: Log,
    clock: Base.Clock = .system,
    randomness: Randomness = .system
  ) {
    self.name = name
    self.settings = settings
    busSettings = bus
    self.log = log
    metrics = Metrics()
    self.clock = clock
    self.randomness = randomness
    readiness = Readiness()
    lifecycle = Lifecycle(log: log, clock: clock)
  }

  /// Lets the process end in order and as failed, because it cannot do its work any longer: its supervisor starts it anew.
  public func giveUp(because reason: String) {
    _ = endRequest.make(reason, failing: true)
  }

  /// What the process uses of the machine's memory now.
  public var residentBytes: Int { ProcessUsage.current.residentBytes }

  /// What the process holds of it, and nobody uses.
  public var freeBytes: Int { FreedMemory.byteCount }

  public func giveBackFreeMemory() { FreedMemory.giveBack() }

  /// Adds a few words, such as an address, to what the process says when it is ready.
  public func announce(_ words: String) {
    announced.withLock { $0.append(words) }
  }

  /// What the process says on standard output when it is ready: whoever started it waits for this line.
  var readyLine: String {
    ([ReadyLine.prefix] + announced.withLock { $0 }).joined(separator: ReadyLine.separator)
  }
}

/// The one line that a process says on standard output: `ready`, and where it can be reached.
package enum ReadyLine {
  static let prefix = "ready"
  static let separator = "   "

  /// What is announced in `line`; nil when it is another line.
  package static func announcement(in line: String) -> String? {
    if line == prefix { return "" }
    return line.hasPrefix(prefix + separator) ? String(line.dropFirst(prefix.count + separator.count)) : nil
  }
}
