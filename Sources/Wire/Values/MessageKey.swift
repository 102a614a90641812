/// A message as a key of a dictionary or an element of a set.
public struct MessageKey<M: Message>: Hashable, Sendable {
  public let message: M
  /// Made once, because a table asks for hash and equality again and again. nil for what cannot be sent.
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
