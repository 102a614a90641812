package import Base

/// What a reactor's threads do in turn.
protocol ReactorTurns: AnyObject, Sendable {
  /// Works through what there is; nil when that was the last time. Only one thread calls it at a time.
  func turn(with news: [UInt64]) -> ReactorTurnEnd?
}

package struct ReactorTurnEnd {
  /// When the next turn must be although nothing arrives.
  package var next: MonotonicTime?
  /// Nothing is left that has already arrived.
  package var isQuiet: Bool

  package init(next: MonotonicTime? = nil, isQuiet: Bool) {
    self.next = next
    self.isQuiet = isQuiet
  }
}
