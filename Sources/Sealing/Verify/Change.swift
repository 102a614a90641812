/// Something that was changed after a signature.
public struct Change: Hashable, Sendable {
  /// In plain words.
  public let description: String
  /// Whether it is one that leaves a signature valid: a further signature, or proofs for one.
  public let isExpected: Bool

  static func expected(_ description: String) -> Change { Change(description: description, isExpected: true) }
  static func unexpected(_ description: String) -> Change { Change(description: description, isExpected: false) }
}
