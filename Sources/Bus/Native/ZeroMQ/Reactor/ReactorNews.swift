/// The events that woke a thread of a reactor, or that it found.
package struct ReactorNews {
  /// The keys of sockets with events.
  package var keys: [UInt64]
  package var rang: Bool
  package var timeCame: Bool

  package init(keys: [UInt64] = [], rang: Bool = false, timeCame: Bool = false) {
    self.keys = keys
    self.rang = rang
    self.timeCame = timeCame
  }
}
