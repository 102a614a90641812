internal import Base
internal import CSodium

/// Encrypts and authenticates what a gateway hands out and expects back unread and unchanged, by XChaCha20-Poly1305.
package struct SealingKey: Sendable {
  private let key: [UInt8]
  private static let nonceCount = 24
  private static let tagCount = 16

  /// - Parameter secret: known to gateways only; those that share one open what any of them sealed.
  package init(secret: [UInt8], purpose: String) {
    precondition(sodium_init() >= 0, "libsodium found no source of randomness")
    key = Digest(of: Array("\(purpose)\n".utf8) + secret).bytes
  }

  package func seal(_ plain: [UInt8]) -> [UInt8] {
    let nonce = Randomness.system.bytes(Self.nonceCount)
    var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagCount)
    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, plain, UInt64(plain.count), nil, 0, nil, nonce, key)
    return nonce + sealed
  }

  /// nil unless these are bytes that this key has sealed.
  package func open(_ sealed: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceCount + Self.tagCount else { return nil }
    let nonce = Array(sealed.prefix(Self.nonceCount))
    let rest = Array(sealed.dropFirst(Self.nonceCount))
    var plain = [UInt8](repeating: 0, count: rest.count - Self.tagCount)
    let result = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
      &plain, nil, nil, rest, UInt64(rest.count), nil, 0, nonce, key)
    return result == 0 ? plain : nil
  }
}
