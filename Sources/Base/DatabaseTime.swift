internal import Synchronization

/// Adds up how long the transactions of one traced call took. Storage adds to it, and whoever answers the call reports
/// it.
public final class DatabaseTime: Sendable {
  /// The sum of the call that the current task answers; nil outside traced calls.
  @TaskLocal public static var ofCall: DatabaseTime?

  private let nanoseconds = Atomic<Int64>(0)

  public init() {}

  public var microseconds: Int64 { nanoseconds.load(ordering: .relaxed) / 1000 }

  /// Adds the time since `start`. Transactions that ran at the same time are all added in full.
  public func add(since start: MonotonicTime, to now: MonotonicTime) {
    nanoseconds.add(now.nanoseconds(since: start), ordering: .relaxed)
  }
}
