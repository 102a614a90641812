package import Base

/// Codes that people read from one screen and type on another: letters and digits without 0, 1, I and O, which are
/// easily confused.
package enum Codes {
  package static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

  /// The longest text that is read: a code of 32 letters, with separators around each of them.
  private static let longestTyped = 128

  /// A new code: five bits of randomness for each letter.
  package static func make(_ length: Int, from randomness: [UInt8]) -> String {
    String(randomness.prefix(length).map { letters[Int($0) % letters.count] })
  }

  /// The code as it was made, whatever case and separators were typed; nil if the text cannot be a code.
  package static func normal(_ typed: String) -> String? {
    guard typed.utf8.count <= longestTyped else { return nil }
    let code = typed.uppercased().filter { !$0.isWhitespace && $0 != "-" }
    return (8...32).contains(code.count) && code.allSatisfy(letters.contains) ? code : nil
  }

  /// The digest under which a code is stored, so that a reader of the database cannot use the code.
  package static func digest(_ kind: String, _ code: String) -> Digest {
    Digest(of: Array("assent-code-1\n\(kind)\n\(code)".utf8))
  }
}
