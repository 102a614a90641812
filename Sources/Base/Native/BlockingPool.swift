/// Threads of their own for work that blocks or computes for long, so that Swift's shared pool stays free for what waits.
///
/// `run` moves one piece of work there; as a `TaskExecutor` the pool can also host whole tasks. A task that lives here has its
/// work done where it stands: moving it to another thread and back would take two wake-ups of sleeping threads.
public final class BlockingPool: TaskExecutor, Sendable {
  private let jobs = BlockingQueue<UnownedJob>()
  private static let mark = ThreadMark<BlockingQueue<UnownedJob>>()

  /// - Parameter stackBytes: decoders and layout recurse; the default is as large as a main thread's.
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
    // The pool stays open as long as somebody can hand it work.
    let accepted = jobs.push(UnownedJob(job))
    assert(accepted)
  }

  /// Whether the code that asks runs on one of the pool's threads, where it may block.
  public var isCurrent: Bool { Self.mark.owner === jobs }

  /// Does `work` on one of the pool's threads: on this one, if it is one of them.
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
