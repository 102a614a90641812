internal import CSodium

/// Signs statements for use without a connection (Ed25519).
@safe package struct StatementKey: Sendable {
  package let publicKey: [UInt8]
  private let secretKey: [UInt8]

  /// - Parameter seed: 32 secret bytes; the same seed is the same key.
  package init?(seed: [UInt8]) {
    guard seed.count == Int(crypto_sign_SEEDBYTES) else { return nil }
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
    var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
    guard unsafe crypto_sign_seed_keypair(&publicKey, &secretKey, seed) == 0 else { return nil }
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  package func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
    _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
    return signature
  }

  package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    guard signature.count == Int(crypto_sign_BYTES), publicKey.count == Int(crypto_sign_PUBLICKEYBYTES) else {
      return false
    }
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
  }
}
