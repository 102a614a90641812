internal import Synchronization

/// How long the transactions of one traced call took: storage adds to it, and whoever answers the call reports it.
public final class DatabaseTime: Sendable {
  /// The account of the call that the current task answers; nil outside traced calls.
  @TaskLocal public static var ofCall: DatabaseTime?

  private let nanoseconds = Atomic<Int64>(0)

  public init() {}

  public var microseconds: Int64 { nanoseconds.load(ordering: .relaxed) / 1000 }

  /// Adds the time since `start`. Transactions that ran at the same time count one by one.
  public func add(since start: MonotonicTime, to now: MonotonicTime) {
    nanoseconds.add(now.nanoseconds(since: start), ordering: .relaxed)
  }
}
