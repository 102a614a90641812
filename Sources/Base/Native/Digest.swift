internal import CSodium

/// A SHA-256 digest. Documents, strokes and requests are identified by theirs.
public struct Digest: Hashable, Sendable {
  // Four words and not a SIMD4: Swift 6.3 allocates too little for a task's generic result that is aligned to 32 bytes.
  private let first, second, third, fourth: UInt64

  /// The digest of `bytes`.
  public init(of bytes: [UInt8]) {
    var hasher = DigestBuilder()
    hasher.update(bytes)
    self = hasher.finish()
  }

  /// A digest from its bytes; nil unless there are exactly 32.
  public init?(bytes: [UInt8]) {
    // Every read of a row compares its digest: a generic initialiser took a fifth of such a read.
    guard bytes.count == Self.byteCount else { return nil }
    (first, second) = (Self.word(bytes, 0), Self.word(bytes, 8))
    (third, fourth) = (Self.word(bytes, 16), Self.word(bytes, 24))
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in start..<start + 8 { word = word << 8 | UInt64(bytes[index]) }
    return word
  }

  /// A digest from its hexadecimal form; nil unless there are exactly 64 digits.
  public init?(hex: String) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes: bytes)
  }

  public static let byteCount = 32

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for word in [first, second, third, fourth] {
      for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - index * 8))) }
    }
    return bytes
  }

  public var hex: String { Hex.encode(bytes) }
}

extension Digest: CustomStringConvertible {
  public var description: String { hex }
}

/// Computes a SHA-256 digest of data that arrives in parts.
public struct DigestBuilder: Sendable {
  private var state = crypto_hash_sha256_state()

  public init() {
    unsafe withUnsafeMutablePointer(to: &state) { _ = unsafe crypto_hash_sha256_init($0) }
  }

  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe crypto_hash_sha256_update(&state, buffer.baseAddress, UInt64(buffer.count))
    }
  }

  public mutating func update(_ text: String) {
    update(Array(text.utf8))
  }

  public consuming func finish() -> Digest {
    var output = [UInt8](repeating: 0, count: Digest.byteCount)
    unsafe crypto_hash_sha256_final(&state, &output)
    guard let digest = Digest(bytes: output) else { preconditionFailure("SHA-256 yields 32 bytes") }
    return digest
  }
}
