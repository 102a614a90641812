internal import CSodium

/// What one Argon2id hash costs.
package struct Argon2Cost: Hashable, Sendable {
  package let passes: Int
  package let memory: Int

  package init(passes: Int, memory: Int) {
    self.passes = passes
    self.memory = memory
  }

  /// The least memory that libsodium accepts.
  package static let leastMemory = 8192
  package static let standard = Argon2Cost(passes: 3, memory: 64 << 20)
}

/// Argon2id (RFC 9106) by libsodium. The cost of a call states how much memory and time it takes.
enum Argon2 {
  /// A verifier, which contains its salt and cost; nil when the memory cannot be allocated.
  static func verifier(of passcode: [UInt8], _ cost: Argon2Cost) -> String? {
    var output = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let isMade = unsafe crypto_pwhash_str_alg(
      &output, text(passcode), UInt64(passcode.count), UInt64(cost.passes), cost.memory, crypto_pwhash_ALG_ARGON2ID13)
    guard isMade == 0 else { return nil }
    return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Takes as long for a wrong passcode as for the right one.
  static func verifies(_ passcode: [UInt8], _ verifier: String) -> Bool {
    let stored = text(Array(verifier.utf8))
    guard stored.count <= Int(crypto_pwhash_STRBYTES) else { return false }
    return unsafe crypto_pwhash_str_verify(stored, text(passcode), UInt64(passcode.count)) == 0
  }

  /// The text as a C string, with a zero byte at its end.
  private static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// True when a verifier was made at another cost, so that the next successful sign-in replaces it.
  static func needsRenewal(_ verifier: String, _ cost: Argon2Cost) -> Bool {
    unsafe crypto_pwhash_str_needs_rehash(text(Array(verifier.utf8)), UInt64(cost.passes), cost.memory) != 0
  }

  /// The raw hash, as a device computes it from an offline verifier; nil when the memory cannot be allocated.
  static func hash(_ passcode: [UInt8], salt: [UInt8], _ cost: Argon2Cost) -> [UInt8]? {
    precondition(salt.count == Int(crypto_pwhash_SALTBYTES), "Argon2id takes a salt of 16 bytes")
    var output = [UInt8](repeating: 0, count: 32)
    let isMade = unsafe crypto_pwhash(
      &output, UInt64(output.count), text(passcode), UInt64(passcode.count), salt, UInt64(cost.passes), cost.memory,
      crypto_pwhash_ALG_ARGON2ID13)
    return isMade == 0 ? output : nil
  }
}
