internal import Synchronization

/// What other threads hand to a reactor. It is woken only when it sleeps, however much arrives.
package final class ReactorInbox<Work: Sendable>: Sendable {
  private struct State {
    var work: [Work] = []
    var jobs: [UnownedJob] = []
    var isAsleep = false
    var isClosed = false
  }

  let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(ZeroMQError) {
    wakeup = try Wakeup()
  }

  /// Hands over `work`; false when the reactor has stopped and will never see it.
  @discardableResult
  package func submit(_ work: Work) -> Bool {
    add { $0.work.append(work) }
  }

  /// Hands over a part of a task to be run between two turns; false when the reactor has stopped.
  func submit(_ job: UnownedJob) -> Bool {
    add { $0.jobs.append(job) }
  }

  private func add(_ body: (inout State) -> Void) -> Bool {
    let (isAccepted, mustWake) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      body(&state)
      defer { state.isAsleep = false }
      return (true, state.isAsleep)
    }
    if mustWake { wakeup.signal() }
    return isAccepted
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.signal()
  }

  /// Announces that the reactor is about to sleep; false when it must not, because something waits.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      guard state.work.isEmpty, state.jobs.isEmpty, !state.isClosed else { return false }
      state.isAsleep = true
      return true
    }
  }

  /// Exchanges the jobs that wait for the empty `buffer`.
  func take(into buffer: inout [UnownedJob]) {
    state.withLock { swap(&$0.jobs, &buffer) }
  }

  /// The jobs that came too late; none is taken from now on.
  func lastJobs() -> [UnownedJob] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Exchanges what waits for the empty `buffer`; false once the inbox is closed and empty.
  func take(into buffer: inout [Work]) -> Bool {
    state.withLock { state in
      state.isAsleep = false
      swap(&state.work, &buffer)
      return !state.isClosed || !buffer.isEmpty
    }
  }
}
