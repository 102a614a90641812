/// The words that readers search for when they rebuild a damaged file. They look at every byte, even inside streams,
/// strings and comments. What occurs by chance in compressed bytes they find as well, so it counts here too.
struct RepairWords {
  /// The offsets at which something like `12 0 obj` begins.
  private(set) var objects = Set<Int>()
  private(set) var endsOfObjects = 0
  private(set) var endsOfStreams = 0
  private(set) var trailers = 0

  init(_ bytes: ArraySlice<UInt8>, from place: Int) {
    for at in bytes.indices[place...] {
      switch bytes[at] {
      case UInt8(ascii: "o"):
        guard Self.has("obj", bytes, at) else { continue }
        if let start = Self.number(before: at, bytes, from: place) { objects.insert(start) }
      case UInt8(ascii: "e"):
        if Self.has("endobj", bytes, at) { endsOfObjects += 1 }
        if Self.has("endstream", bytes, at) { endsOfStreams += 1 }
      case UInt8(ascii: "t"):
        if Self.has("trailer", bytes, at), Self.isDictionaryAhead(bytes, at + 7) { trailers += 1 }
      default: break
      }
    }
  }

  private static func has(_ word: String, _ bytes: ArraySlice<UInt8>, _ place: Int) -> Bool {
    bytes[place...].starts(with: word.utf8)
  }

  /// Readers written in C take byte 11 for white space as well.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 11 || PDFLexer.isSpace(byte) }

  /// The start of the two numbers that end before this place; nil if there are none.
  private static func number(before end: Int, _ bytes: ArraySlice<UInt8>, from place: Int) -> Int? {
    var at = end
    func skip(_ isMeant: (UInt8) -> Bool) -> Bool {
      let start = at
      while at > place, isMeant(bytes[at - 1]) { at -= 1 }
      return at < start
    }
    _ = skip(isSpace)
    return skip(PDFLexer.isDigit) && skip(isSpace) && skip(PDFLexer.isDigit) ? at : nil
  }

  private static func isDictionaryAhead(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Bool {
    var at = place
    while at < bytes.count, isSpace(bytes[at]) { at += 1 }
    return bytes[at...].starts(with: "<<".utf8) || bytes[at...].first == UInt8(ascii: "%")
  }
}
