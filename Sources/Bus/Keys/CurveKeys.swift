internal import Base

/// The public key by which a peer on the bus is recognised.
public struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  /// Nil unless there are exactly 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Nil unless `text` is 40 digits of Z85.
  public init?(text: String) {
    guard let bytes = Z85.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  public var text: String { Z85.encode(bytes) }
  public var description: String { text }
}

/// The secret key by which a peer proves its identity. It never appears in a log or an error.
public struct CurveSecretKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  let bytes: [UInt8]

  /// Nil unless `text` is 40 digits of Z85.
  public init?(text: String) {
    guard let bytes = Z85.decode(text), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  var text: String { Z85.encode(bytes) }
  /// Derives a secret for another purpose: all holders of the key get the same one, and the key cannot be found from
  /// it.
  package func derived(for purpose: String) -> [UInt8] {
    Digest(of: Array("assent-derived-secret-1\n\(purpose)\n".utf8) + bytes).bytes
  }
  public var description: String { "secret key" }
  public var debugDescription: String { description }
}

public struct CurveKeyPair: Sendable {
  public let publicKey: CurvePublicKey
  public let secretKey: CurveSecretKey

  init(publicKey: CurvePublicKey, secretKey: CurveSecretKey) {
    self.publicKey = publicKey
    self.secretKey = secretKey
  }
}
