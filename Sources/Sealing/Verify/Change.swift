/// Something that was changed after a signature.
public struct Change: Hashable, Sendable {
  /// Whether the change is a further signature of a person.
  let isSignature: Bool
  /// In plain words.
  public let description: String
  /// Whether it leaves a signature valid, as a further signature or proofs for one do.
  public let isExpected: Bool

  static func expected(_ description: String, isSignature: Bool = false) -> Change {
    Change(isSignature: isSignature, description: description, isExpected: true)
  }

  static func unexpected(_ description: String) -> Change {
    Change(isSignature: false, description: description, isExpected: false)
  }
}
