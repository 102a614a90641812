internal import Base

/// Waits until programs have nothing left to do, so that what is measured next does not pay for what came before.
public enum Idleness {
  /// - Parameters:
  ///   - window: how long the processes together must use less than a quarter of a core: some look at files even so.
  ///   - limit: how long they may be busy; after that it is an error.
  public static func wait(
    for processes: [Int32], window: Duration = .milliseconds(500), atMost limit: Duration = .seconds(60)
  ) async throws {
    let end = Clock.system.monotonic + limit
    var before = try used(by: processes)
    while true {
      try await Task.sleep(for: window)
      let now = try used(by: processes)
      if isIdle(now - before, over: window) { return }
      guard Clock.system.monotonic < end else { throw StillBusy(seconds: limit.wholeMilliseconds / 1000) }
      before = now
    }
  }

  static func isIdle(_ used: Duration, over window: Duration) -> Bool { used * 4 < window }

  private static func used(by processes: [Int32]) throws -> Duration {
    try processes.reduce(.zero) { try $0 + ProcessFigures(process: $1).cpuTime }
  }
}

private struct StillBusy: Error, CustomStringConvertible {
  let seconds: Int64
  var description: String { "the programs were still busy after \(seconds) s" }
}
