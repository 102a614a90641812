/// What a reader has taken of a stream and not yet reported to its machine: the window moves in large steps, so
/// reporting each small message would be wasted.
package struct ReadCount: Hashable, Sendable {
  package var bytes = 0
  package var messages = 0

  package init(bytes: Int = 0, messages: Int = 0) {
    self.bytes = bytes
    self.messages = messages
  }
}

/// Counts what the only reader of a stream takes.
package struct ReadTally: Sendable {
  private var unreported = ReadCount()

  private static let step = Int(BusLimits.initialWindow / 2)

  package init() {}

  /// Counts a message; returns what to report to the machine now, if anything.
  package mutating func take(messageOf count: Int) -> ReadCount? {
    unreported.bytes += count
    unreported.messages += 1
    return unreported.bytes >= Self.step ? rest() : nil
  }

  /// The reader is about to wait, so the rest is reported: the sender may be waiting for the window.
  package mutating func rest() -> ReadCount? {
    guard unreported.messages > 0 else { return nil }
    defer { unreported = ReadCount() }
    return unreported
  }
}
