internal import Base
package import Bus
internal import Synchronization

/// Threads for what would make the reactor wait: converting large messages.
package final class Workshop: Sendable {
  package typealias Outcome = Swift.Result<Conversion.Result, Status>

  private let pool: BlockingPool
  private let finished = Mutex<[(job: UInt64, outcome: Outcome)]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when something has been finished.
  package init(threads: Int = 2, wake: @escaping @Sendable () -> Void) {
    pool = BlockingPool(name: "face", threads: threads)
    self.wake = wake
  }

  package func convert(_ bytes: [UInt8], by conversion: Conversion, as job: UInt64) {
    Task.detached(executorPreference: pool) { [self] in
      let outcome = Outcome { () throws(Status) in try conversion(bytes) }
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
