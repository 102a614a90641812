/// How callers share a pool of threads.
public struct FairLimits: Hashable, Sendable {
  public let lightThreads: Int
  /// Threads for heavy work: a quarter as many as for light work, at least one. The system shares the cores among all
  /// threads, so that heavy work slows light work down by half at most where there are as many cores as light threads.
  public let heavyThreads: Int
  public var mostWaitingPerCaller: Int
  public var mostWaiting: Int
  /// How often a caller brings light work until it is forgotten that it brought heavy work.
  public var lightToForgive: Int
  /// How many callers are remembered for that.
  public var mostDebtors: Int

  /// - Parameter threads: how many do light work.
  public init(
    threads: Int, mostWaitingPerCaller: Int = 64, mostWaiting: Int = 1024, lightToForgive: Int = 8,
    mostDebtors: Int = 1024
  ) {
    precondition(threads > 0, "a pool needs at least one thread")
    lightThreads = threads
    heavyThreads = max(1, threads / 4)
    self.mostWaitingPerCaller = mostWaitingPerCaller
    self.mostWaiting = mostWaiting
    self.lightToForgive = lightToForgive
    self.mostDebtors = mostDebtors
  }
}

/// Why work is refused instead of waiting for its turn.
public enum FairRefusal: Error, Hashable, Sendable {
  /// The caller has so much work waiting already.
  case callerWaits(bound: Int)
  /// All callers together have.
  case allWait(bound: Int)
}

package enum FairLane: Hashable, Sendable, CaseIterable {
  case light, heavy
}
