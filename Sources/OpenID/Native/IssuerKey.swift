internal import Base
internal import CPKI
internal import Tokens

/// A public key of an outside issuer. The key decides which signature algorithms may be used with it, never the token.
@safe final class IssuerKey: Sendable {
  /// The name of the key; empty where the issuer gives none.
  let name: String
  /// The one algorithm that the issuer uses the key for, if it says so.
  private let algorithm: String?
  private let kind: Kind
  /// OpenSSL's key for RSA; nil for other kinds. It is never changed after it is made, so any thread may verify with
  /// it.
  private nonisolated(unsafe) let handle: OpaquePointer?

  private enum Kind {
    case rsa
    case p256(P256Key)
    case ed25519(VerifyingKey)
  }

  private static let leastBits = 2048
  private static let mostBits = 8192

  /// nil for a key that cannot verify tokens here: one for encryption, too short, or of a kind that is not accepted.
  init?(jwk: JSONValue) {
    func number(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap { Base64URL.decode($0) } }
    guard jwk["use"].map({ $0.string == "sig" }) ?? true,
      jwk["key_ops"].map({ $0.array?.contains(.string("verify")) == true }) ?? true
    else { return nil }
    algorithm = jwk["alg"]?.string
    name = jwk["kid"]?.string ?? ""
    switch (jwk["kty"]?.string, jwk["crv"]?.string) {
    case ("RSA", _):
      guard let modulus = number("n"), let exponent = number("e"), modulus.first != 0, Self.isExponent(exponent),
        (Self.leastBits / 8...Self.mostBits / 8).contains(modulus.count),
        let key = unsafe cpki_rsa_public(modulus, Int32(modulus.count), exponent, Int32(exponent.count))
      else { return nil }
      (kind, unsafe handle) = unsafe (.rsa, key)
    case ("EC", "P-256"):
      guard let x = number("x"), let y = number("y"), x.count == 32, y.count == 32,
        let key = P256Key(point: [4] + x + y)
      else { return nil }
      (kind, unsafe handle) = (.p256(key), nil)
    case ("OKP", "Ed25519"):
      guard let key = number("x").flatMap({ VerifyingKey(bytes: $0) }) else { return nil }
      (kind, unsafe handle) = (.ed25519(key), nil)
    default: return nil
    }
  }

  deinit {
    unsafe EVP_PKEY_free(handle)
  }

  /// Whether an RSA exponent is odd and at least three: with one, every text would be its own signature.
  private static func isExponent(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, let last = bytes.last, first != 0, bytes.count <= 8 else { return false }
    return last % 2 == 1 && (bytes.count > 1 || last >= 3)
  }

  /// Whether the key may be used with this algorithm, which is named as in headers of tokens.
  func takes(_ algorithm: String) -> Bool {
    guard self.algorithm.map({ $0 == algorithm }) ?? true else { return false }
    return switch kind {
    case .rsa: algorithm == "RS256" || algorithm == "PS256"
    case .p256: algorithm == "ES256"
    case .ed25519: algorithm == "EdDSA"
    }
  }

  /// False also for an algorithm that the key is not for.
  func verifies(_ signature: [UInt8], of bytes: [UInt8], by algorithm: String) -> Bool {
    guard takes(algorithm) else { return false }
    switch kind {
    case .p256(let key): return key.verifies(signature, of: bytes)
    case .rsa:
      return unsafe cpki_verify_jws(
        handle, algorithm == "PS256" ? 1 : 0, bytes, bytes.count, signature, signature.count) == 1
    case .ed25519(let key): return key.verifies(signature, of: bytes)
    }
  }
}
