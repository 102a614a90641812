/// What a reader has taken of a stream and its machine does not know yet: the window moves in large steps anyway, so that a
/// word for each small message would be wasted.
package struct ReadCount: Hashable, Sendable {
  package var bytes = 0
  package var messages = 0

  package init(bytes: Int = 0, messages: Int = 0) {
    self.bytes = bytes
    self.messages = messages
  }
}

/// Counts what the one reader of a stream takes.
package struct ReadTally: Sendable {
  private var unreported = ReadCount()

  private static let step = Int(BusLimits.initialWindow / 2)

  package init() {}

  /// Notes a message; the answer is what the machine is to be told now, if anything.
  package mutating func take(messageOf count: Int) -> ReadCount? {
    unreported.bytes += count
    unreported.messages += 1
    return unreported.bytes >= Self.step ? rest() : nil
  }

  /// The reader is about to wait: the sender may be waiting for the window.
  package mutating func rest() -> ReadCount? {
    guard unreported.messages > 0 else { return nil }
    defer { unreported = ReadCount() }
    return unreported
  }
}
