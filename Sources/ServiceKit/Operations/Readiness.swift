internal import Base
internal import Synchronization

/// Whether a process should be given work: the answer of `/readyz`.
///
/// Only its own life counts. One that has lost its database or its gateways stays ready: others would have lost them
/// too, and it goes on by itself as soon as they are back.
public final class Readiness: Sendable {
  /// The phases in the life of a process.
  enum Phase: String {
    case starting, ready, draining
  }

  private let state = Mutex(State())

  private struct State {
    var phase = Phase.starting
    var notices: [(name: String, problem: @Sendable () -> String?)] = []
    /// When somebody looked and found the process ready, and nobody has found it otherwise since.
    var foundReady: MonotonicTime?
  }

  public init() {}

  func enter(_ phase: Phase) {
    state.withLock { $0.phase = phase }
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

  /// The phase, and for how long whoever looked has found the process ready.
  func look() -> (phase: Phase, readyFor: Duration) {
    let now = Clock.system.monotonic
    return state.withLock { state in
      state.foundReady = state.phase == .ready ? state.foundReady ?? now : nil
      return (state.phase, state.foundReady.map { now - $0 } ?? .zero)
    }
  }
}
