internal import Base
internal import Bus
internal import Face
internal import Synchronization

/// Expands compressed messages on threads of its own, because a small message can expand to a large one.
final class Expander: Sendable {
  typealias Outcome = Result<[UInt8], Status>

  private let pool = BlockingPool(name: "grpc", threads: 2)
  private let finished = Mutex<[(number: UInt64, outcome: Outcome)]>([])
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  func expand(_ bytes: [UInt8], limit: Int, as number: UInt64) {
    Task.detached(executorPreference: pool) { [self] in
      let outcome = Outcome { () throws(Status) in try Gzip.decompress(bytes, limit: limit) }
      finished.withLock { $0.append((number, outcome)) }
      wake()
    }
  }

  func takeFinished() -> [(number: UInt64, outcome: Outcome)] {
    finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
  }
}
