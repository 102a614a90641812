internal import Synchronization

/// Whether a process should be given work: the answer of `/readyz`.
public final class Readiness: Sendable {
  /// The phases in the life of a process.
  public enum Phase: String, Sendable {
    case starting, ready, draining
  }

  private let state = Mutex(State())

  private struct State {
    var phase = Phase.starting
    var checks: [(name: String, problem: @Sendable () -> String?)] = []
  }

  public init() {}

  public var phase: Phase { state.withLock { $0.phase } }

  func enter(_ phase: Phase) {
    state.withLock { $0.phase = phase }
  }

  /// Adds a condition for being given work; `problem` returns what is wrong, or nil. It must not block.
  public func require(_ name: String, problem: @escaping @Sendable () -> String?) {
    state.withLock { $0.checks.append((name, problem)) }
  }

  /// Why the process should not be given work; empty when it should.
  public var problems: [String] {
    let (phase, checks) = state.withLock { ($0.phase, $0.checks) }
    let own = phase == .ready ? [] : [phase.rawValue]
    return own + checks.compactMap { check in check.problem().map { "\(check.name): \($0)" } }
  }
}
