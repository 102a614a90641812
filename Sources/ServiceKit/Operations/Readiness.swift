internal import Base
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
    var notices: [(name: String, problem: @Sendable () -> String?)] = []
    /// When somebody looked and found no problem, and nobody has found one since.
    var foundReady: MonotonicTime?
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

  /// Adds something that operators should know of while the process still has work to do; `problem` returns what is
  /// wrong, or nil. It must not block.
  public func tell(_ name: String, problem: @escaping @Sendable () -> String?) {
    state.withLock { $0.notices.append((name, problem)) }
  }

  /// What is wrong with a process that should be given work all the same.
  public var notices: [String] {
    state.withLock { $0.notices }.compactMap { notice in notice.problem().map { "\(notice.name): \($0)" } }
  }

  /// Why the process should not be given work; empty when it should.
  public var problems: [String] {
    let (phase, checks) = state.withLock { ($0.phase, $0.checks) }
    let own = phase == .ready ? [] : [phase.rawValue]
    return own + checks.compactMap { check in check.problem().map { "\(check.name): \($0)" } }
  }

  /// The problems, and for how long whoever looked has found none.
  func look() -> (problems: [String], readyFor: Duration) {
    let (problems, now) = (problems, Clock.system.monotonic)
    return state.withLock { state in
      state.foundReady = problems.isEmpty ? state.foundReady ?? now : nil
      return (problems, state.foundReady.map { now - $0 } ?? .zero)
    }
  }
}
