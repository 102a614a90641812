internal import Base

/// Bytes between two lines with their name, as certificates are stored in files (RFC 7468).
///
/// OpenSSL's reader is for files of one's own: it also takes encrypted blocks, and asks for their passphrase at the
/// terminal of the process.
enum PEM {
  /// The first blocks that have one of the names, in order. What is not base64 is left out, encrypted blocks among it:
  /// they begin with lines that say how.
  static func blocks(named names: [String], in file: [UInt8], most: Int) -> [[UInt8]] {
    let kinds = names.map { (first: Array("\(begin)\($0)-----".utf8)[...], last: Array("\(end)\($0)-----".utf8)[...]) }
    var blocks: [[UInt8]] = []
    var open: (last: ArraySlice<UInt8>, text: [UInt8])?
    var rest = file[...]
    // Some editors mark the beginning of a file.
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty, blocks.count < most {
      let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = trimmed(rest[..<lineEnd])
      rest = rest[lineEnd...].dropFirst()
      if line.starts(with: begin.utf8) {
        open = kinds.first { $0.first == line }.map { ($0.last, []) }
      } else if line.starts(with: end.utf8) {
        if let ended = exchange(&open, with: nil), ended.last == line,
          let block = Base64.decode(String(decoding: ended.text, as: UTF8.self))
        {
          blocks.append(block)
        }
      } else {
        open?.text += line
      }
    }
    return blocks
  }

  private static let begin = "-----BEGIN "
  private static let end = "-----END "

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = line.drop { $0 <= UInt8(ascii: " ") }
    return text.lastIndex { $0 > UInt8(ascii: " ") }.map { text[...$0] } ?? []
  }
}
