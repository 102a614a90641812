internal import Base

/// What one key, over all of its sessions, uses of a gateway's shared resources. No key may use more than is still
/// free: one key at most a half, two at most a third each, and so on.
///
/// A key that vouches for others stands for many callers, so each of its sessions has an account of its own; and so
/// has each on this machine's own sockets, where nobody has a key.
final class KeyAccount {
  /// Unique among the accounts of the router.
  let number: UInt64
  var sessions = 0
  var openCalls = 0
  /// The size of its waiting calls.
  var waitingBytes = 0
  /// The same by the callers for whom they are made; nil where all are made for one.
  var waitingOf: Shares<ServiceQueue.Share>?

  init(number: UInt64, waitingOf: Shares<ServiceQueue.Share>? = nil) {
    self.number = number
    self.waitingOf = waitingOf
  }
}
