/// Something that was changed after a signature.
public struct Change: Hashable, Sendable {
  public enum Kind: Sendable {
    /// Somebody signed besides.
    case signature
    /// The time of the file was attested.
    case documentTime
    /// Certificates and revocations were added.
    case proofs
    case other
  }

  public let kind: Kind
  /// In plain words.
  public let description: String
  /// Whether it is one that leaves a signature valid: a further signature, or proofs for one.
  public let isExpected: Bool

  static func expected(_ kind: Kind, _ description: String) -> Change {
    Change(kind: kind, description: description, isExpected: true)
  }

  static func unexpected(_ description: String) -> Change {
    Change(kind: .other, description: description, isExpected: false)
  }
}
