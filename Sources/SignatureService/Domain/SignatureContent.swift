package import SignatureContract

/// The content of a saved signature. It is personal data, and leaves the vault only to be drawn or returned to a
/// caller.
package enum SignatureContent: Equatable, Sendable {
  /// Strokes or the shapes of an image in their stored form, and the salt of the commitment to its hash.
  case drawn([UInt8], salt: [UInt8])
  /// A name, and the salt of the commitment to it.
  case typed(TypedName, salt: [UInt8])
}

/// How a request names a saved signature.
package enum SignatureName: Hashable, Sendable {
  case id(String)
  case hash(String)
}

/// The labels of the commitments that serve as hashes of signatures. They are part of the contract, since whoever has
/// the salt and the signature can verify a commitment.
package enum SignatureCommitment {
  /// The label of a commitment to the SHA-256 of the stored form of strokes or of an image's shapes.
  package static let drawn = "drawn signature"
  /// The label of a commitment to a typed name.
  package static let typed = "typed signature"
}
