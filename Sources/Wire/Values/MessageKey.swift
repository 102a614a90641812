/// A message as a key of a dictionary or an element of a set.
public struct MessageKey<M: Message>: Hashable, Sendable {
  public let message: M
  /// Encoded once, because tables hash and compare keys again and again. nil for a message that cannot be encoded.
  private let bytes: [UInt8]?

  public init(_ message: M) {
    self.message = message
    bytes = try? message.encoded()
  }

  public static func == (one: Self, other: Self) -> Bool {
    guard let mine = one.bytes, let others = other.bytes else { return one.message == other.message }
    return mine == others
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
