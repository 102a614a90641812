internal import Synchronization

/// The tasks in which handlers run. Each answers one call after another, because to make a task takes longer than most
/// handlers do.
final class CallTasks: Sendable {
  private let executor: (any TaskExecutor)?
  private let idle = Mutex(Idle())

  private struct Idle {
    var tasks: [CallTask] = []
    var isClosed = false
  }

  /// How many idle tasks are kept, at a few kilobytes each.
  private static let mostIdle = 64

  /// - Parameter executor: where the tasks run; nil for Swift's shared pool.
  init(on executor: (any TaskExecutor)?) {
    self.executor = executor
  }

  func run(_ call: ServerCall) {
    let known = idle.withLock { $0.tasks.popLast() }
    let task = known ?? CallTask(of: self)
    task.take(call)
    if known == nil { task.begin(on: executor) }
    call.assign(to: task)
  }

  /// Keeps a task that waits for its next call; false when there are enough.
  fileprivate func keep(_ task: CallTask) -> Bool {
    idle.withLock { idle in
      guard !idle.isClosed, idle.tasks.count < Self.mostIdle else { return false }
      idle.tasks.append(task)
      return true
    }
  }

  /// Called when no call follows: idle tasks end now, the others after their call.
  func close() {
    let tasks = idle.withLock { idle in
      idle.isClosed = true
      return exchange(&idle.tasks, with: [])
    }
    for task in tasks { task.end() }
  }
}

/// A task that answers one call after another.
final class CallTask: Sendable {
  private let tasks: CallTasks
  private let state = Mutex(State())

  private struct State: ~Copyable {
    /// The call that the task answers, or is to answer next.
    var call: ServerCall?
    /// Set while the task waits for its next call.
    var waiting: WaitingTask?
    var handle: Task<Void, Never>?
    /// Whether the task was cancelled. It stays so, and therefore ends with the call that was cancelled.
    var isCancelled = false
  }

  fileprivate init(of tasks: CallTasks) {
    self.tasks = tasks
  }

  /// Starts the task detached: it inherits nothing of the task that happens to run now, which it outlives.
  fileprivate func begin(on executor: (any TaskExecutor)?) {
    let handle =
      if let executor {
        Task.detached(executorPreference: executor) { await self.answerCalls() }
      } else {
        // The shared pool is not named as a preference, because every step of the task would look it up again.
        Task.detached { await self.answerCalls() }
      }
    let isCancelled = state.withLock { state in
      state.handle = handle
      return state.isCancelled
    }
    if isCancelled { handle.cancel() }
  }

  private func answerCalls() async {
    while true {
      // Its own scope, so that nothing of the call is kept while the task waits.
      do {
        guard let call = state.withLock({ $0.call }) else { return }
        await call.answer()
      }
      await WaitingTask.suspend { rest($0) }
    }
  }

  /// Keeps the suspended task for its next call, or ends it: then it continues, finds no call and returns.
  private func rest(_ waiting: consuming WaitingTask) {
    var waiting = Optional(waiting)
    let (call, isCancelled) = state.withLock { state in
      state.waiting = waiting.take()
      return (state.call.take(), state.isCancelled)
    }
    // Released outside the lock: the last call may hold the last reference to all handlers, whose `deinit` takes locks.
    _ = consume call
    if isCancelled || Task.isCancelled || !tasks.keep(self) { end() }
  }

  fileprivate func take(_ call: ServerCall) {
    wake { $0.call = call }
  }

  /// Ends the task, which waits for a call.
  fileprivate func end() {
    wake { _ in }
  }

  private func wake(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Cancels the task if it still answers `call`.
  func cancel(_ call: ServerCall) {
    let handle = state.withLock { state -> Task<Void, Never>? in
      guard state.call === call else { return nil }
      // From now on it answers no other call, so it can be cancelled outside the lock.
      state.isCancelled = true
      return state.handle
    }
    handle?.cancel()
  }
}
