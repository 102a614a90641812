internal import CSodium

/// A SHA-256 digest. Documents, strokes and requests are named by theirs.
public struct Digest: Hashable, Sendable {
  // Four words and not a SIMD4: Swift 6.3 allocates too little for a task's generic result that is aligned to 32 bytes.
  private let first, second, third, fourth: UInt64

  /// The digest of `bytes`.
  public init(of bytes: [UInt8]) {
    var hasher = DigestBuilder()
    hasher.update(bytes)
    self = hasher.finish()
  }

  /// A digest read back from where it was stored; nil unless there are exactly 32 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// A digest read back from its hexadecimal form; nil unless there are exactly 64 digits.
  public init?(hex: String) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes: bytes)
  }

  public static let byteCount = 32

  public var bytes: [UInt8] {
    let words = [first, second, third, fourth]
    return (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
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
