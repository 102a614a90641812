package import Base

/// Codes that people read from one screen and type on another: letters and digits that are not confused.
package enum Codes {
  package static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

  /// A new code: five bits of randomness for each letter.
  package static func make(_ length: Int, from randomness: [UInt8]) -> String {
    String(randomness.prefix(length).map { letters[Int($0) % letters.count] })
  }

  /// As it was made, whatever case and separators somebody typed. nil for what can be no code.
  package static func normal(_ typed: String) -> String? {
    let code = typed.uppercased().filter { !$0.isWhitespace && $0 != "-" }
    return (8...32).contains(code.count) && code.allSatisfy(letters.contains) ? code : nil
  }

  /// Codes are stored as their digests: whoever reads the database can use none.
  package static func digest(_ kind: String, _ code: String) -> Digest {
    Digest(of: Array("assent-code-1\n\(kind)\n\(code)".utf8))
  }
}
