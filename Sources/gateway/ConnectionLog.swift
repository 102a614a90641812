internal import Base
internal import Face
internal import ServiceKit
internal import Synchronization

/// Logs events of connections at a door that is open to anybody, and bounds the lines that one address may cause.
final class ConnectionLog: Sendable {
  private let door: String
  private let log: Log
  private let clock: Base.Clock
  private let lines: Mutex<LineBudget<String>>

  /// - Parameter door: its name in the log.
  init(of door: String, log: Log, clock: Base.Clock) {
    self.door = door
    self.log = log
    self.clock = clock
    lines = Mutex(LineBudget(at: clock.monotonic))
  }

  func noteGivenUp(_ address: String, why: String) {
    log(of: address)?.info("connection given up", ["door": door, "address": address, "reason": why])
  }

  func noteRefused(_ address: String, why: String) {
    log(of: address)?.warn("connection refused", ["door": door, "address": address, "reason": why])
  }

  private func log(of address: String) -> Log? {
    let now = clock.monotonic
    guard let leftOut = lines.withLock({ $0.take(CountedAddress.of(address), at: now) }) else { return nil }
    return leftOut == 0 ? log : log.with(["lines_left_out": leftOut])
  }
}
