package import Base

/// Bounds how often each address may open a connection with TLS. The doors are on the bus's thread, where a handshake
/// takes about a millisecond, and whoever has no credential may begin one.
package struct HandshakeLimiter: Sendable {
  /// So much that a proxy, or a clinic whose devices share one address, does not reach it.
  package struct Rate: Sendable {
    /// How many connections an address may open at once.
    package let atOnce: Int
    /// How many it may open in each further second.
    package let aSecond: Int

    /// - Parameter atOnce: five seconds' worth if nil.
    package init(aSecond: Int = 200, atOnce: Int? = nil) {
      self.aSecond = aSecond
      self.atOnce = atOnce ?? 5 * aSecond
    }
  }

  private let rate: Rate
  private var buckets: TokenBuckets

  package init(_ rate: Rate, mostAddresses: Int = 10_000) {
    self.rate = rate
    buckets = TokenBuckets(rate: rate.aSecond, depth: rate.atOnce, mostHolders: mostAddresses)
  }

  /// Why a new connection must be refused, which counts nothing; nil when there is no reason, and then it is counted.
  ///
  /// - Parameter address: the peer's address, in the form that `CountedAddress` gives it.
  package mutating func objection(to address: String, at now: MonotonicTime) -> String? {
    buckets.take(address, at: now).isAdmitted
      ? nil : "too many new connections: more than \(rate.aSecond) a second"
  }
}
