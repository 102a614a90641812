public import Base

/// The parts that have been started and must be stopped, in reverse order.
public actor Lifecycle {
  private let log: Log
  private let clock: Base.Clock
  private var parts: [Part] = []
  private var hasStopped = false

  private struct Part {
    let name: String
    let limit: Duration?
    let stop: @Sendable () async throws -> Void
  }

  public init(log: Log, clock: Base.Clock = .system) {
    self.log = log
    self.clock = clock
  }

  /// Registers how to stop a part that has just been started. Parts that were started later are stopped earlier.
  ///
  /// - Parameter limit: how long this part may take, if it has a limit other than the process's.
  public func onStop(_ name: String, limit: Duration? = nil, _ stop: @escaping @Sendable () async throws -> Void) {
    precondition(!hasStopped, "\(name) was started after the process began to stop")
    parts.append(Part(name: name, limit: limit, stop: stop))
  }

  /// Stops every part, one after the other. A part that does not stop within what is left of `limit` is cancelled and
  /// not waited for.
  ///
  /// - Returns: the names of the parts that did not stop properly.
  @discardableResult
  public func stop(within limit: Duration) async -> [String] {
    hasStopped = true
    let deadline = clock.monotonic + limit
    var failed: [String] = []
    while let part = parts.popLast() {
      let remaining = part.limit ?? max(.zero, deadline - clock.monotonic)
      let log = log.with(["part": part.name])
      switch await finish(part.stop, within: remaining) {
      case .stopped: log.debug("part stopped")
      case .failed(let reason):
        log.error("part failed to stop", ["error": reason])
        failed.append(part.name)
      case .late:
        log.error("part did not stop in time", ["limit_ms": remaining])
        failed.append(part.name)
      }
    }
    return failed
  }

  private enum Ending: Sendable {
    case stopped
    case failed(String)
    case late
  }

  /// Returns as soon as the part has stopped or its time is over, even if it ignores its cancellation.
  private func finish(_ stop: @escaping @Sendable () async throws -> Void, within limit: Duration) async -> Ending {
    let (endings, report) = AsyncStream<Ending>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let work = Task {
      do {
        try await stop()
        report.yield(.stopped)
      } catch {
        report.yield(.failed("\(error)"))
      }
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      report.yield(.late)
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for await ending in endings { return ending }
    return .late
  }
}
