package import Base

/// What a turn of a reactor leaves behind.
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
