package import RPC
internal import Synchronization

/// Does the work that would keep a door's reactor waiting: converting and decompressing large messages.
///
/// All doors share the threads. Each has a workshop of its own, from which it takes its results.
package final class Workshop<Product: Sendable>: Sendable {
  package typealias Outcome = Swift.Result<Product, Status>

  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var finished: [(job: UInt64, outcome: Outcome)] = []
  }

  private let pool: DoorPool
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when a job is finished.
  package init(on pool: DoorPool, wake: @escaping @Sendable () -> Void) {
    self.pool = pool
    self.wake = wake
  }

  /// A workshop for other products, on the same threads.
  package func sibling<Other: Sendable>() -> Workshop<Other> { Workshop<Other>(on: pool, wake: wake) }

  /// Does work when its caller's turn has come.
  ///
  /// - Parameters:
  ///   - holder: the account or address that takes turns.
  ///   - mustWait: the work belongs to an answer, and is never refused.
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

  /// Drops a job whose result nobody waits for any more: if it has not begun, it never does, and its result is not
  /// kept.
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
