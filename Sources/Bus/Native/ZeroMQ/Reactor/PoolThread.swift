internal import Base

/// The state of one of a reactor's threads.
final class PoolThread {
  unowned let pool: ReactorThreadPool
  /// Whether the thread runs a job, and not the reactor's own work.
  var isInTask = false
  /// Whether what it ran needs a turn. The thread requests that with its next step.
  var wantsTurn = false

  private static let mark = ThreadMark<PoolThread>()

  private init(of pool: ReactorThreadPool) {
    self.pool = pool
  }

  /// Makes the current thread one of the pool's; the result must be kept as long as the thread belongs to the pool.
  static func join(_ pool: ReactorThreadPool) -> PoolThread {
    let thread = PoolThread(of: pool)
    mark.set(for: thread)
    return thread
  }

  /// The current thread's state; nil on a thread that belongs to no reactor.
  static var current: PoolThread? { mark.owner }
}
