internal import Base
internal import Synchronization

/// Whether a process should be given work, as `/readyz` answers.
///
/// Only the process's own phase counts. A process that has lost its database or its gateways stays ready: other
/// processes would have lost them too, and it goes on by itself as soon as they are back.
public final class Readiness: Sendable {
  /// The phases in the life of a process.
  enum Phase: String {
    case starting, ready, draining
  }

  private let state = Mutex(State())

  private struct State {
    var phase = Phase.starting
    var notices: [(name: String, problem: @Sendable () -> String?)] = []
    /// When a caller of `look` first found the process ready, if none has found it otherwise since.
    var foundReady: MonotonicTime?
  }

  public init() {}

  func enter(_ phase: Phase) {
    state.withLock { $0.phase = phase }
  }

  /// Adds a check whose result operators should know, although the process stays ready; `problem` returns what is
  /// wrong, or nil. It must not block.
  public func tell(_ name: String, problem: @escaping @Sendable () -> String?) {
    state.withLock { $0.notices.append((name, problem)) }
  }

  /// The problems that the checks find now. They do not make the process unready.
  public var notices: [String] {
    state.withLock { $0.notices }.compactMap { notice in notice.problem().map { "\(notice.name): \($0)" } }
  }

  /// The phase, and for how long every caller has found the process ready.
  func look() -> (phase: Phase, readyFor: Duration) {
    let now = Clock.system.monotonic
    return state.withLock { state in
      state.foundReady = state.phase == .ready ? state.foundReady ?? now : nil
      return (state.phase, state.foundReady.map { now - $0 } ?? .zero)
    }
  }
}
