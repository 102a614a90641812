internal import Base
internal import OpenID

/// The public key by which a device proves itself. Its length tells its kind.
enum DeviceKey {
  case ed25519(VerifyingKey)
  case p256(P256Key)

  /// nil for bytes that are no such key.
  init?(_ bytes: [UInt8]) {
    if let key = VerifyingKey(bytes: bytes) {
      self = .ed25519(key)
    } else if let key = P256Key(point: bytes) {
      self = .p256(key)
    } else {
      return nil
    }
  }

  func verifies(_ signature: [UInt8], of text: String) -> Bool {
    switch self {
    case .ed25519(let key): key.verifies(signature, of: Array(text.utf8))
    case .p256(let key): key.verifies(signature, of: Array(text.utf8))
    }
  }
}
