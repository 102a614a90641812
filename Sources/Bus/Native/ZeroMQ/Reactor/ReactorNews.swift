/// What a thread of a reactor was woken by, or saw.
package struct ReactorNews {
  /// Of sockets, by their keys.
  package var keys: [UInt64]
  package var rang: Bool
  package var timeCame: Bool

  package init(keys: [UInt64] = [], rang: Bool = false, timeCame: Bool = false) {
    self.keys = keys
    self.rang = rang
    self.timeCame = timeCame
  }
}
