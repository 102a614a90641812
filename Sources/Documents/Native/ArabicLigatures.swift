internal import CText

/// Replaces the letters of Arabic ligatures by one character for each ligature.
///
/// Programs that extract text reverse lines from right to left glyph by glyph: the letters of a ligature would come out
/// in the wrong order. Unicode has characters for the usual ligatures, and those programs know what each consists of.
enum ArabicLigatures {
  static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    if scalars.count == 1, let only = scalars.first { return String(Character(only)) }
    let letters = String(String.UnicodeScalarView(scalars))
    guard let one = known[letters] else { return letters }
    return String(Character(one))
  }

  private static let known: [String: Unicode.Scalar] = {
    var known: [String: Unicode.Scalar] = [:]
    for value in [0xFEF5...0xFEFC, 0xFC00...0xFD3D].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      var room = [UInt16](repeating: 0, count: 8)
      let length = unsafe ctext_compatible(scalar.value, &room, Int32(room.count))
      let letters = String(decoding: room.prefix(Int(length)), as: UTF16.self)
      // The first character is the isolated form.
      if letters.unicodeScalars.count > 1, known[letters] == nil { known[letters] = scalar }
    }
    return known
  }()
}
