internal import Base

/// Bytes between two lines with their name, as certificates are stored in files (RFC 7468).
///
/// OpenSSL's reader would not do: it also accepts encrypted blocks, and asks for their passphrase at the process's
/// terminal.
enum PEM {
  /// The first blocks that have one of the names, in order. Blocks that are not base64 are skipped. Encrypted ones are
  /// among those, since they begin with lines about the encryption.
  static func blocks(named names: [String], in file: [UInt8], most: Int) -> [[UInt8]] {
    let kinds = names.map { (first: Array("\(begin)\($0)-----".utf8)[...], last: Array("\(end)\($0)-----".utf8)[...]) }
    var blocks: [[UInt8]] = []
    var open: (last: ArraySlice<UInt8>, text: [UInt8])?
    var rest = file[...]
    // Some editors put a byte-order mark at the beginning.
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
