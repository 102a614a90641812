internal import CSodium

/// A 256-bit key for XChaCha20-Poly1305, wiped from memory when the last reference is released.
///
/// Unchecked because the compiler cannot see that the bytes behind the pointer never change.
@safe public final class SecretKey: @unchecked Sendable {
  private let key: UnsafeMutablePointer<UInt8>
  static let byteCount = 32
  private static let nonceByteCount = 24
  private static let tagByteCount = 16
  /// The first byte of all sealed data, in case the cipher ever changes.
  private static let formatVersion: UInt8 = 1

  public init() {
    Self.prepareLibrary()
    unsafe key = .allocate(capacity: Self.byteCount)
    unsafe randombytes_buf(key, Self.byteCount)
  }

  /// A key of exactly 32 bytes; nil for any other number.
  public init?(_ source: [UInt8]) {
    guard source.count == Self.byteCount else { return nil }
    Self.prepareLibrary()
    unsafe key = .allocate(capacity: Self.byteCount)
    for (index, byte) in source.enumerated() { unsafe (key + index).initialize(to: byte) }
  }

  deinit {
    unsafe sodium_memzero(key, Self.byteCount)
    unsafe key.deallocate()
  }

  /// Encrypts bytes and binds the result to a place: it opens only at the same place.
  public func seal(_ plain: [UInt8], at place: SealPlace) -> [UInt8] {
    unsafe seal(plain.span.bytes, at: place)
  }

  /// Decrypts sealed bytes. nil if the key or the place is wrong, or the bytes were altered.
  public func open(_ sealed: [UInt8], at place: SealPlace) -> [UInt8]? {
    let overhead = 1 + Self.nonceByteCount + Self.tagByteCount
    guard sealed.count >= overhead, sealed[0] == Self.formatVersion else { return nil }
    var plain = [UInt8](repeating: 0, count: sealed.count - overhead)
    let isGenuine = unsafe sealed.withUnsafeBufferPointer { input in
      guard let start = input.baseAddress else { return false }
      return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
        &plain, nil, nil, start + 1 + Self.nonceByteCount, UInt64(input.count - 1 - Self.nonceByteCount),
        place.bytes, UInt64(place.bytes.count), start + 1, key) == 0
    }
    return isGenuine ? plain : nil
  }

  func wrap(_ inner: SecretKey, at place: SealPlace) -> [UInt8] {
    unsafe seal(RawSpan(_unsafeStart: inner.key, byteCount: Self.byteCount), at: place)
  }

  func unwrap(_ wrapped: [UInt8], at place: SealPlace) -> SecretKey? {
    guard var plain = open(wrapped, at: place) else { return nil }
    defer { unsafe sodium_memzero(&plain, plain.count) }
    return SecretKey(plain)
  }

  /// A keyed hash: the same for the same bytes, and meaningless without the key.
  func hash(_ message: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    unsafe crypto_generichash(&output, output.count, message, UInt64(message.count), key, Self.byteCount)
    return output
  }

  /// Whether bytes are the keyed hash of a message. The time that this takes does not reveal where they differ.
  func confirms(_ hash: [UInt8], of message: [UInt8]) -> Bool {
    let expected = self.hash(message)
    guard hash.count == expected.count else { return false }
    return unsafe sodium_memcmp(hash, expected, expected.count) == 0
  }

  private func seal(_ plain: RawSpan, at place: SealPlace) -> [UInt8] {
    let prefix = 1 + Self.nonceByteCount
    var sealed = [UInt8](repeating: 0, count: prefix + plain.byteCount + Self.tagByteCount)
    sealed[0] = Self.formatVersion
    unsafe sealed.withUnsafeMutableBufferPointer { output in
      guard let start = output.baseAddress else { return }
      unsafe randombytes_buf(start + 1, Self.nonceByteCount)
      unsafe plain.withUnsafeBytes { input in
        _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          start + prefix, nil, input.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(input.count),
          place.bytes, UInt64(place.bytes.count), nil, start + 1, key)
      }
    }
    return sealed
  }

  private static func prepareLibrary() { precondition(isPrepared, "libsodium found no source of randomness") }

  private static let isPrepared = sodium_init() >= 0
}

/// Names the place of sealed data, such as a row. It is authenticated with the data, so that sealed bytes do not open
/// anywhere else.
public struct SealPlace: Sendable {
  let bytes: [UInt8]

  public init(_ kind: String, _ names: String...) {
    // Encoded with lengths, so that ("ab", "c") differs from ("a", "bc").
    var bytes: [UInt8] = []
    for part in [kind] + names { ValueCoding.append(.text(part), to: &bytes) }
    self.bytes = bytes
  }
}
