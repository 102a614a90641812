/// A message as a key of a dictionary or an element of a set.
public struct MessageKey<M: Message>: Hashable, Sendable {
  public let message: M

  public init(_ message: M) {
    self.message = message
  }

  public func hash(into hasher: inout Hasher) {
    // What has no bytes is rare enough to share one hash.
    hasher.combine((try? message.encoded()) ?? [])
  }
}
