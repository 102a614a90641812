internal import Base

/// Searches bytes for any of several digests, in binary or hexadecimal form, at any place. Scans the bytes once,
/// however many digests are sought.
struct DigestSearch {
  private(set) var found: Set<Digest> = []
  /// The digests by each of their two forms. `beginnings` has the first eight bytes of each form.
  private var forms: [ArraySlice<UInt8>: Digest] = [:]
  private var beginnings: Set<UInt64> = []
  private static let wordBytes = 8
  private static let lengths = [Digest.byteCount, 2 * Digest.byteCount]

  init(for digests: [Digest]) {
    for digest in digests {
      for form in [digest.bytes, Array(digest.hex.utf8)] {
        forms[form[...]] = digest
        beginnings.insert(form.prefix(Self.wordBytes).reduce(0) { $0 << 8 | UInt64($1) })
      }
    }
  }

  mutating func look(in bytes: [UInt8]) {
    guard bytes.count >= Digest.byteCount, !forms.isEmpty else { return }
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      let start = index + 1 - Self.wordBytes
      guard start >= 0, beginnings.contains(word) else { continue }
      for length in Self.lengths where start + length <= bytes.count {
        if let digest = forms[bytes[start..<start + length]] { found.insert(digest) }
      }
    }
  }
}
