package import SignatureContract

/// A saved signature: personal data, which leave the vault only to be answered or drawn.
package enum SignatureContent: Hashable, Sendable {
  /// Strokes, as a stroke blob.
  case drawn([UInt8])
  /// A name, and the salt of the commitment to it.
  case typed(TypedName, salt: [UInt8])
}

/// How a request names a saved signature.
package enum SignatureName: Hashable, Sendable {
  case id(String)
  case hash(String)
}
