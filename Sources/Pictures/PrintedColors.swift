/// The four colours of print, cyan, magenta, yellow and black, as a screen shows them without a profile of the printer.
enum PrintedColors {
  /// Replaces four bytes of ink for each pixel by red, green, blue and opacity.
  ///
  /// - Parameter areInverted: whether 0 is all of an ink, and 255 none.
  static func show(_ pixels: inout [UInt8], areInverted: Bool) {
    let mask: UInt8 = areInverted ? 0 : 255
    for place in stride(from: 0, to: pixels.count - 3, by: 4) {
      let white = Int(pixels[place + 3] ^ mask)
      for ink in 0..<3 { pixels[place + ink] = UInt8(Int(pixels[place + ink] ^ mask) * white / 255) }
      pixels[place + 3] = 255
    }
  }

  /// Whether a JPEG says that a program of Adobe's, or one that does as these do, has written it: all of them write
  /// inks the other way round.
  static func areInverted(in jpeg: [UInt8]) -> Bool {
    var at = 2
    while at + 8 < jpeg.count, jpeg[at] == 0xFF {
      let marker = jpeg[at + 1]
      // Before the first scan each segment states its length.
      if marker == 0xDA { return false }
      if marker == 0xEE, jpeg[(at + 4)..<(at + 9)].elementsEqual("Adobe".utf8) { return true }
      at += marker == 0xFF ? 1 : 2 + max(2, Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3]))
    }
    return false
  }
}
