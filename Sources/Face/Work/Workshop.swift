package import RPC
internal import Synchronization

/// Where doors have done what would make the reactor wait: converting and expanding large messages.
///
/// Doors share the threads; each has a workshop of its own, to which its results come back.
package final class Workshop<Product: Sendable>: Sendable {
  package typealias Outcome = Swift.Result<Product, Status>

  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var finished: [(job: UInt64, outcome: Outcome)] = []
  }

  private let pool: DoorPool
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when something has been finished.
  package init(on pool: DoorPool, wake: @escaping @Sendable () -> Void) {
    self.pool = pool
    self.wake = wake
  }

  /// One for other products, on the same threads.
  package func sibling<Other: Sendable>() -> Workshop<Other> { Workshop<Other>(on: pool, wake: wake) }

  /// Does work when its caller's turn has come.
  ///
  /// - Parameters:
  ///   - holder: the account or the address that takes turns.
  ///   - mustWait: the work is an answer's, and never refused.
  package func start(
    _ job: UInt64, for holder: String, mustWait: Bool = false, _ work: @escaping @Sendable () throws(Status) -> Product
  ) {
    state.withLock { state in
      state.tasks[job] = Task.detached(executorPreference: pool.threads) { [self] in
        finish(job, await outcome(for: holder, mustWait: mustWait, work))
      }
    }
  }

  private func outcome(
    for holder: String, mustWait: Bool, _ work: @escaping @Sendable () throws(Status) -> Product
  ) async -> Outcome {
    do throws(Status) {
      return .success(try await pool.run(for: holder, mustWait: mustWait, work))
    } catch {
      return .failure(error)
    }
  }

  private func finish(_ job: UInt64, _ outcome: Outcome) {
    let isWanted = state.withLock { state in
      guard state.tasks.removeValue(forKey: job) != nil else { return false }
      state.finished.append((job, outcome))
      return true
    }
    if isWanted { wake() }
  }

  /// Nobody waits for the job any more: if it has not begun, it never does, and what it holds is let go.
  package func giveUp(_ job: UInt64) {
    let task = state.withLock { $0.tasks.removeValue(forKey: job) }
    task?.cancel()
  }

  package func takeFinished() -> [(job: UInt64, outcome: Outcome)] {
    state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
  }
}
