/// How callers share a pool of threads.
public struct FairLimits: Hashable, Sendable {
  public let lightThreads: Int
  /// Threads for heavy work: a quarter as many as for light work, at least one. The system shares the cores among all
  /// threads, so that heavy work slows light work down by half at most where there are as many cores as light threads.
  public let heavyThreads: Int
  public var mostWaitingPerCaller: Int
  public var mostWaiting: Int
  /// How many times a caller has to bring light work until its heavy work is forgotten.
  public var lightToForgive: Int
  /// How many callers with heavy work are remembered.
  public var mostDebtors: Int

  /// - Parameter threads: the number of threads for light work.
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

/// Why a piece of work is refused instead of waiting for its turn.
public enum FairRefusal: Error, Hashable, Sendable {
  /// This many pieces of the caller's work wait already.
  case callerWaits(bound: Int)
  /// This many pieces of all callers' work together wait already.
  case allWait(bound: Int)
}

package enum FairLane: Hashable, Sendable, CaseIterable {
  case light, heavy
}
