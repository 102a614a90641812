internal import Base

/// A lease: the right of one process to do something for a limited time.
package enum Lease {
  /// Renews a lease while `work` goes on, and cancels the work when the lease is lost.
  package static func keeping(
    for time: Duration, renew: @escaping @Sendable () async throws -> Bool,
    orThrow lost: @autoclosure @escaping @Sendable () -> any Error,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await work() }
      group.addTask {
        while true {
          try await Task.sleep(for: time / 3)
          guard try await renew() else { throw lost() }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
