internal import CPKI

/// A public key of P-256 that verifies ES256 signatures.
@safe package final class P256Key: Sendable {
  /// OpenSSL's key. It is never changed after it is made, so any thread may verify with it.
  private nonisolated(unsafe) let handle: OpaquePointer

  /// - Parameter point: 4, and the coordinates x and y, of 32 bytes each. nil for anything else, and for a point that
  ///   is not on the curve.
  package init?(point: [UInt8]) {
    guard point.count == 65, point[0] == 4, let key = unsafe cpki_p256_public(point, point.count) else { return nil }
    unsafe handle = key
  }

  deinit {
    unsafe EVP_PKEY_free(handle)
  }

  /// - Parameter signature: its two numbers side by side, as in JWS.
  package func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    unsafe cpki_verify_jws(handle, 0, bytes, bytes.count, signature, signature.count) == 1
  }
}
