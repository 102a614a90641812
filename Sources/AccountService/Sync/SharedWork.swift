/// Does the same work for several tasks at once. A task gets a run that begins after it asked; all tasks that ask
/// before that run begins share it.
actor SharedWork {
  private let work: @Sendable () async throws -> Void
  private var running: Task<Void, any Error>?
  private var next: Task<Void, any Error>?

  init(_ work: @escaping @Sendable () async throws -> Void) {
    self.work = work
  }

  func run() async throws {
    let task = next ?? begin()
    // A caller that is cancelled stops waiting; the work goes on for the others.
    let (end, ended) = AsyncStream<Void>.makeStream()
    Task.detached {
      _ = await task.result
      ended.finish()
    }
    for await _ in end {}
    try Task.checkCancellation()
    try await task.value
  }

  /// A run that is under way may have missed what the caller has to see, so another run follows it. It belongs to no
  /// call: the deadline of whoever asks first does not bind the others.
  private func begin() -> Task<Void, any Error> {
    let task = Task.detached { [earlier = running, work] in
      _ = await earlier?.result
      await self.started()
      try await work()
    }
    next = task
    return task
  }

  private func started() { (running, next) = (next, nil) }
}
