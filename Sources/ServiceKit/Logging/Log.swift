public import Base

/// The log of a part. It is a value: pass it on, or make one that adds fields to every event.
public struct Log: Sendable {
  private let level: LogLevel
  private let clock: Clock
  private let fields: [LogField]
  private let record: @Sendable (LogEvent) -> Void

  /// - Parameter record: takes every event that is at least as important as `level`, from any thread.
  public init(
    level: LogLevel = .info, clock: Clock = .system, record: @escaping @Sendable (LogEvent) -> Void
  ) {
    self.level = level
    self.clock = clock
    self.record = record
    fields = []
  }

  private init(_ log: Log, adding fields: [LogField]) {
    level = log.level
    clock = log.clock
    record = log.record
    self.fields = log.fields + fields
  }

  /// Drops all events.
  public static let silent = Log { _ in }

  /// A log whose events also carry `fields`.
  public func with(_ fields: KeyValuePairs<String, any LogConvertible>) -> Log {
    Log(self, adding: Self.fields(fields))
  }

  public func debug(_ event: String, _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]) {
    write(.debug, event, fields)
  }

  public func info(_ event: String, _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]) {
    write(.info, event, fields)
  }

  public func warn(_ event: String, _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]) {
    write(.warn, event, fields)
  }

  public func error(_ event: String, _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]) {
    write(.error, event, fields)
  }

  /// Records an unexpected error, under the id that its caller was given.
  public func unexpected(
    _ error: any Error, id: String, _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]
  ) {
    let what: [LogField] = [LogField("error_id", .text(id)), LogField("error", .text(String(describing: error)))]
    Log(self, adding: what).write(.error, "unexpected error", fields)
  }

  /// Records an unexpected error, and returns the id under which it is logged.
  ///
  /// Callers outside get that id; the text of such an error can contain anything and stays in the log.
  public func unexpected(
    _ error: any Error, randomness: Randomness = .system,
    _ fields: @autoclosure () -> KeyValuePairs<String, any LogConvertible> = [:]
  ) -> String {
    let id = Hex.encode(randomness.bytes(8))
    unexpected(error, id: id, fields())
    return id
  }

  private func write(
    _ level: LogLevel, _ event: String, _ fields: () -> KeyValuePairs<String, any LogConvertible>
  ) {
    guard level >= self.level else { return }
    record(LogEvent(time: clock.now, level: level, event: event, fields: self.fields + Self.fields(fields())))
  }

  private static func fields(_ pairs: KeyValuePairs<String, any LogConvertible>) -> [LogField] {
    pairs.map { LogField($0.key, $0.value.logValue) }
  }
}
