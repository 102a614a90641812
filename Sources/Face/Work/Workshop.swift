package import Base
package import RPC
internal import Synchronization

/// Where doors have done what would make the reactor wait: converting and expanding large messages.
///
/// Doors share the threads; each has a workshop of its own, to which its results come back.
package final class Workshop<Product: Sendable>: Sendable {
  package typealias Outcome = Swift.Result<Product, Status>

  private let pool: BlockingPool
  private let finished = Mutex<[(job: UInt64, outcome: Outcome)]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when something has been finished.
  package init(on pool: BlockingPool, wake: @escaping @Sendable () -> Void) {
    self.pool = pool
    self.wake = wake
  }

  /// One for other products, on the same threads.
  package func sibling<Other: Sendable>() -> Workshop<Other> { Workshop<Other>(on: pool, wake: wake) }

  package func start(_ job: UInt64, _ work: @escaping @Sendable () throws(Status) -> Product) {
    Task.detached(executorPreference: pool) { [self] in
      let outcome = Outcome { () throws(Status) in try work() }
      finished.withLock { $0.append((job, outcome)) }
      wake()
    }
  }

  package func takeFinished() -> [(job: UInt64, outcome: Outcome)] {
    finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
  }
}

extension BlockingPool {
  /// The threads for long work of all doors of a process.
  package static func forDoors(threads: Int = 2) -> BlockingPool { BlockingPool(name: "face", threads: threads) }
}
