/// Threads for work that blocks or computes for long, so that Swift's shared pool stays free for tasks that only wait.
///
/// `run` moves one piece of work there; as a `TaskExecutor` the pool also runs whole tasks. A task that runs on the
/// pool does its blocking work on its own thread: moving it to another thread and back would take two wake-ups of
/// sleeping threads.
public final class BlockingPool: TaskExecutor, Sendable {
  private let jobs = BlockingQueue<UnownedJob>()
  private static let mark = ThreadMark<BlockingQueue<UnownedJob>>()

  /// - Parameter stackBytes: the stack of each thread; as large as a main thread's by default, because decoders and
  ///   layout recurse.
  public init(name: String, threads: Int, stackBytes: Int = 8 << 20) {
    precondition(threads > 0, "a pool needs at least one thread")
    for index in 0..<threads {
      NativeThread.start(name: "\(name)-\(index)", stackBytes: stackBytes) { [jobs, weak self] in
        Self.mark.set(for: jobs)
        while let job = jobs.pop() {
          guard let self else { return }
          unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
      }
    }
  }

  deinit {
    jobs.close()
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    // The pool stays open for as long as anybody can submit work to it.
    let accepted = jobs.push(UnownedJob(job))
    assert(accepted)
  }

  /// Whether the calling code runs on one of the pool's threads, where it may block.
  public var isCurrent: Bool { Self.mark.owner === jobs }

  /// Does `work` on one of the pool's threads: on the current one, if it belongs to the pool.
  public func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if isCurrent { return try work() }
    let result = await withTaskExecutorPreference(self) { await Self.result(of: work) }
    return try result.get()
  }

  @concurrent private static func result<Value: Sendable, Failure: Error>(
    of work: @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    Result { () throws(Failure) in try work() }
  }
}
