/// Which waiting calls go first. Within a class, callers take turns.
public enum CallPriority: UInt8, Hashable, Sendable, CaseIterable, Comparable {
  /// Batches and exports, which can wait.
  case background = 1
  case normal = 2
  /// A person waits for the answer.
  case interactive = 3

  public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}
