/// A message with fields that proto/ calls secret, in itself or in a message that it has. Conformances are generated.
public protocol SecretBearing: Message {
  /// Puts a text in the place of every secret that is set.
  mutating func replaceSecrets(with text: String)
}

extension Message {
  /// The message with a text in the place of every secret that is set.
  public func replacingSecrets(with text: String) -> Self {
    guard var bearing = self as? any SecretBearing else { return self }
    bearing.replaceSecrets(with: text)
    return bearing as? Self ?? Self()
  }
}
