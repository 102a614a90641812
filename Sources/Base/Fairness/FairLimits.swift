/// How callers share a pool of threads.
public struct FairLimits: Hashable, Sendable {
  /// At least two, so that light work always has one.
  public let threads: Int
  /// How many threads heavy work may have: a quarter of them, at least one.
  public let heavyThreads: Int
  public var mostWaitingPerCaller: Int
  public var mostWaiting: Int
  /// How often a caller brings light work until it is forgotten that it brought heavy work.
  public var lightToForgive: Int
  /// How many callers are remembered for that.
  public var mostDebtors: Int

  public init(
    threads: Int, mostWaitingPerCaller: Int = 64, mostWaiting: Int = 1024, lightToForgive: Int = 8,
    mostDebtors: Int = 1024
  ) {
    self.threads = max(2, threads)
    heavyThreads = max(1, self.threads / 4)
    self.mostWaitingPerCaller = mostWaitingPerCaller
    self.mostWaiting = mostWaiting
    self.lightToForgive = lightToForgive
    self.mostDebtors = mostDebtors
  }
}

/// Why somebody may not even wait.
public enum FairRefusal: Error, Hashable, Sendable {
  /// The caller has so much work waiting already.
  case callerWaits(bound: Int)
  /// All callers together have.
  case allWait(bound: Int)
}

package enum FairLane: Hashable, Sendable, CaseIterable {
  case light, heavy
}
