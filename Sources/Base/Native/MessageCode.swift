internal import CSodium

/// A code that shows holders of the same key that a message is unchanged and who made it: HMAC-SHA256 (RFC 2104).
public enum MessageCode {
  public static func make(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    unsafe withUnsafeMutablePointer(to: &state) { state in
      _ = unsafe crypto_auth_hmacsha256_init(state, key, key.count)
      _ = unsafe crypto_auth_hmacsha256_update(state, message, UInt64(message.count))
      _ = unsafe crypto_auth_hmacsha256_final(state, &code)
    }
    return code
  }
}
