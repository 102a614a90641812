package import Base

/// The result of a turn of a reactor.
package struct ReactorTurnEnd {
  /// When the next turn must start although nothing arrives.
  package var next: MonotonicTime?
  /// Whether the turn has processed everything that had arrived.
  package var isQuiet: Bool

  package init(next: MonotonicTime? = nil, isQuiet: Bool) {
    self.next = next
    self.isQuiet = isQuiet
  }
}
