public import Base

/// The key that signs heads. It is kept apart from the database, since somebody who can write to the database must not
/// be able to sign.
public struct EvidenceKey: Sendable {
  package let key: SigningKey

  /// Reads a key of 64 hexadecimal digits. Lines that begin with # are remarks.
  public init(text: String) throws(DatabaseError) {
    let lines = text.split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard lines.count == 1, let key = Hex.decode(lines[0]).flatMap({ SigningKey(seed: $0) }) else {
      throw DatabaseError(.wrongKey, "the evidence key is not 64 hexadecimal digits")
    }
    self.key = key
  }

  public static func newKeyText(randomness: Randomness = .system) -> String { Hex.encode(randomness.bytes(32)) }

  public var verifyingKey: VerifyingKey { key.verifyingKey }

  /// The public key for those who verify evidence, in a form that `VerifyingKey.list` reads.
  public var publicText: String { Hex.encode(verifyingKey.bytes) }
}

extension VerifyingKey {
  /// Reads trusted keys, one per line: 64 hexadecimal digits, or `name+id+key` as C2SP defines it. Lines that begin
  /// with # are remarks.
  public static func list(_ text: String) throws(EvidenceProblem) -> [VerifyingKey] {
    var keys: [VerifyingKey] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.filter { !$0.isWhitespace }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let key = read(line) else {
        throw EvidenceProblem(.signature, at: "public key", "line \(index + 1) is no key")
      }
      keys.append(key)
    }
    guard !keys.isEmpty else { throw EvidenceProblem(.signature, at: "public key", "there is none") }
    return keys
  }

  private static func read(_ line: String) -> VerifyingKey? {
    if let bytes = Hex.decode(line) { return VerifyingKey(bytes: bytes) }
    let parts = line.split(separator: "+", maxSplits: 2).map(String.init)
    guard parts.count == 3, let typed = Base64.decode(parts[2]), typed.first == 1,
      let key = VerifyingKey(bytes: Array(typed.dropFirst())), NoteKeyName(parts[0], key).text == line
    else { return nil }
    return key
  }
}
