/// A message that has fields marked as secret in proto/, itself or in a nested message. Conformances are generated.
public protocol SecretBearing: Message {
  /// Replaces every secret that is set by a text.
  mutating func replaceSecrets(with text: String)
}

extension Message {
  /// The message with every secret that is set replaced by a text.
  public func replacingSecrets(with text: String) -> Self {
    guard var bearing = self as? any SecretBearing else { return self }
    bearing.replaceSecrets(with: text)
    return bearing as? Self ?? Self()
  }
}
