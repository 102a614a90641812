internal import CSodium

/// A private key for signatures (Ed25519, RFC 8032).
public struct SigningKey: Sendable {
  public let verifyingKey: VerifyingKey
  private let secretKey: [UInt8]

  /// - Parameter seed: 32 secret bytes, from which the key follows. nil when there are more or fewer.
  public init?(seed: [UInt8]) {
    guard seed.count == Int(crypto_sign_SEEDBYTES) else { return nil }
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
    var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
    guard unsafe crypto_sign_seed_keypair(&publicKey, &secretKey, seed) == 0,
      let verifyingKey = VerifyingKey(bytes: publicKey)
    else { return nil }
    self.verifyingKey = verifyingKey
    self.secretKey = secretKey
  }

  public func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
    _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
    return signature
  }
}

/// The public key for signatures of a `SigningKey`.
public struct VerifyingKey: Hashable, Sendable {
  public let bytes: [UInt8]

  /// nil unless there are exactly 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Int(crypto_sign_PUBLICKEYBYTES) else { return nil }
    self.bytes = bytes
  }

  public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Int(crypto_sign_BYTES) else { return false }
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
  }
}
