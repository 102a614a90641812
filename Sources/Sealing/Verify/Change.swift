/// Something that was changed after a signature.
public struct Change: Hashable, Sendable {
  /// Whether somebody signed besides.
  let isSignature: Bool
  /// In plain words.
  public let description: String
  /// Whether it is one that leaves a signature valid: a further signature, or proofs for one.
  public let isExpected: Bool

  static func expected(_ description: String, isSignature: Bool = false) -> Change {
    Change(isSignature: isSignature, description: description, isExpected: true)
  }

  static func unexpected(_ description: String) -> Change {
    Change(isSignature: false, description: description, isExpected: false)
  }
}
