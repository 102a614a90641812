public import Base

/// The master keys, which wrap the tenants' keys. They come from a file or the environment and are never stored in the
/// database.
///
/// To rotate, put the new key in front of the old one, run `rotateMasterKey` (or `assent data rotate`), then remove the
/// old one.
public struct MasterKeys: Sendable {
  let current: MasterKey
  let previous: [MasterKey]

  /// Reads keys of 64 hexadecimal digits, one a line, the current one first. Lines that begin with # are comments.
  public init(text: String) throws(DatabaseError) {
    var keys: [MasterKey] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let digits = line.filter { !$0.isWhitespace }
      if digits.isEmpty || digits.hasPrefix("#") { continue }
      guard let bytes = Hex.decode(digits), let key = SecretKey(bytes) else {
        throw DatabaseError(.wrongKey, "line \(index + 1) of the master keys is not 64 hexadecimal digits")
      }
      keys.append(MasterKey(key))
    }
    guard let current = keys.first else { throw DatabaseError(.wrongKey, "there is no master key") }
    self.current = current
    previous = Array(keys.dropFirst())
  }

  /// A new key in the form that `init(text:)` reads.
  public static func newKeyText(randomness: Randomness = .system) -> String { Hex.encode(randomness.bytes(32)) }

  /// Reads the keys from a file.
  public static func read(_ path: String) throws -> MasterKeys {
    try MasterKeys(text: String(decoding: try Files.readPrivate(path, limit: 1 << 16), as: UTF8.self))
  }

  /// The key with a fingerprint; nil if it was not given.
  func known(_ fingerprint: String) -> SecretKey? {
    ([current] + previous).first { $0.fingerprint == fingerprint }?.key
  }

  /// Opens what the master key of a name has wrapped. Where no given key has that name, the name alone may be damaged:
  /// then every given key is tried. nil where none opens it.
  func unwrap(_ wrapped: [UInt8], by name: String, at place: SealPlace) -> SecretKey? {
    if let key = known(name) { return key.unwrap(wrapped, at: place) }
    for master in [current] + previous {
      if let key = master.key.unwrap(wrapped, at: place) { return key }
    }
    return nil
  }

  func key(_ fingerprint: String) throws(DatabaseError) -> SecretKey {
    if let key = known(fingerprint) { return key }
    throw DatabaseError(
      .wrongKey,
      "the database was sealed with master key \(fingerprint); the key given is \(current.fingerprint): "
        + "give the right one, or both if it was replaced")
  }
}

/// One master key and its name.
struct MasterKey: Sendable {
  let key: SecretKey
  let fingerprint: String

  init(_ key: SecretKey) {
    self.key = key
    fingerprint = Hex.encode(key.hash(Array("assent master key".utf8)).prefix(6))
  }
}
