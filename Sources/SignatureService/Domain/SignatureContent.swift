package import SignatureContract

/// A saved signature: personal data, which leave the vault only to be answered or drawn.
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

/// The labels of the commitments that are signatures' hashes: part of the contract, since whoever has salt and
/// signature checks them.
package enum SignatureCommitment {
  /// To the SHA-256 of the stored form, of strokes or of an image's shapes.
  package static let drawn = "drawn signature"
  /// To the name.
  package static let typed = "typed signature"
}
