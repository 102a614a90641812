internal import Base

/// What one key, over all of its sessions, uses of a gateway's shared resources. No key may use more than is still
/// free: one key at most a half, two at most a third each, and so on.
///
/// A service's key stands for many processes and callers, so each of its sessions has an account of its own. So has
/// each session on this machine's own sockets, where peers have no keys.
final class KeyAccount {
  /// Unique among the accounts of the router.
  let number: UInt64
  var sessions = 0
  var openCalls = 0
  /// How many bytes its waiting calls have.
  var waitingBytes = 0
  /// The same for each caller in whose name the calls are made; nil if the peer may not name callers.
  var waitingOf: Shares<ServiceQueue.Share>?

  init(number: UInt64, waitingOf: Shares<ServiceQueue.Share>? = nil) {
    self.number = number
    self.waitingOf = waitingOf
  }
}
