package import Base

/// How often each key may connect. Honest processes connect when they start, and again after a gateway or a network has
/// failed. Somebody who connects without end wants to find out, or to take, the number of another one's connection.
package struct HandshakeShares: Sendable {
  private let burst: Duration
  private let interval: Duration
  /// For each key that has connected, when it will have all its handshakes again.
  private var recoveries: [UInt32: MonotonicTime] = [:]

  /// - Parameters:
  ///   - burst: how many handshakes a key may have at once: many processes may use one key.
  ///   - interval: how long it takes until the key may have another one after that.
  package init(burst: Int = 2000, interval: Duration = .milliseconds(50)) {
    self.interval = interval
    self.burst = interval * burst
  }

  /// Takes one of a key's handshakes; false if it has none left.
  package mutating func take(for key: UInt32, at now: MonotonicTime) -> Bool {
    let recovery = max(recoveries[key] ?? now, now) + interval
    guard recovery - now <= burst else { return false }
    recoveries[key] = recovery
    return true
  }
}
