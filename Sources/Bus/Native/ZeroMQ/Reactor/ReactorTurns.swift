package import Base

/// The turns that a reactor's threads take.
protocol ReactorTurns: AnyObject, Sendable {
  /// Takes a turn; nil when it was the last one. Only one thread calls it at a time.
  func turn(with events: [UInt64]) -> ReactorTurnEnd?
}

package struct ReactorTurnEnd {
  /// When the next turn must start although nothing arrives.
  package var next: MonotonicTime?
  /// Whether nothing is left that has already arrived.
  package var isQuiet: Bool

  package init(next: MonotonicTime? = nil, isQuiet: Bool) {
    self.next = next
    self.isQuiet = isQuiet
  }
}
