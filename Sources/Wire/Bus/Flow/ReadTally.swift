internal import Synchronization

/// What a reader has taken of a stream and its machine does not know yet: the window moves in large steps anyway, so that a
/// word for each small message would be wasted.
package struct Reading: Hashable, Sendable {
  package var bytes = 0
  package var messages = 0

  package init(bytes: Int = 0, messages: Int = 0) {
    self.bytes = bytes
    self.messages = messages
  }
}

/// Counts what the one reader of a stream takes.
package final class ReadTally: Sendable {
  private let unreported = Mutex(Reading())

  private static let step = Int(BusLimits.initialWindow / 8)

  package init() {}

  /// Notes a message; the answer is what the machine is to be told now, if anything.
  package func take(_ message: [UInt8]) -> Reading? {
    unreported.withLock { reading in
      reading.bytes += message.count
      reading.messages += 1
      guard reading.bytes >= Self.step else { return nil }
      defer { reading = Reading() }
      return reading
    }
  }

  /// The reader is about to wait: the sender may be waiting for the window.
  package func rest() -> Reading? {
    unreported.withLock { reading in
      guard reading.messages > 0 else { return nil }
      defer { reading = Reading() }
      return reading
    }
  }
}
