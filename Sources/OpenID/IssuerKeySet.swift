internal import Base
internal import Tokens

/// The public keys of an outside issuer: those of its JWK set (RFC 7517) that may verify tokens here.
package struct IssuerKeySet: Sendable {
  let keys: [IssuerKey]

  private static let most = 64

  /// nil unless the text is a JWK set. Of its keys, only those for signatures are kept that are RSA of 2048 to 8192
  /// bits, P-256 or Ed25519.
  package init?(jwks: [UInt8]) {
    guard let list = JSONValue(jwks, limit: 256 << 10)?["keys"]?.array, list.count <= Self.most else { return nil }
    keys = list.compactMap { IssuerKey(jwk: $0) }
  }

  /// Whether the set has no key. An issuer may publish an empty set to withdraw its keys; then nobody can sign in by
  /// it.
  package var isEmpty: Bool { keys.isEmpty }

  /// The key that a token names. A token that names none is verified with the only key for its algorithm.
  func key(named name: String?, for algorithm: String) -> IssuerKey? {
    guard let name else {
      let fitting = keys.filter { $0.takes(algorithm) }
      return fitting.count == 1 ? fitting[0] : nil
    }
    return keys.first { $0.name == name && $0.takes(algorithm) }
  }
}
