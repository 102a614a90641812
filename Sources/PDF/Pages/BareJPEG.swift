/// A JPEG with nothing but what its picture needs.
///
/// Documents carry it byte for byte, as filters cannot make it smaller. In a comment, or behind the picture, its author
/// could write another document, which the same signature would fit.
enum BareJPEG {
  private enum Marker {
    static let frames: ClosedRange<UInt8> = 0xC0...0xC2
    static let codes: UInt8 = 0xC4
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let quantization: UInt8 = 0xDB
    static let restartInterval: UInt8 = 0xDD
    static let jfif: UInt8 = 0xE0
    static let adobe: UInt8 = 0xEE
  }

  /// - Returns: nil where segments do not follow each other up to the picture's end.
  static func bytes(of jpeg: [UInt8]) -> [UInt8]? {
    guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
    var bare: [UInt8] = [0xFF, 0xD8]
    var at = 2
    while at + 1 < jpeg.count {
      guard jpeg[at] == 0xFF else { return nil }
      let marker = jpeg[at + 1]
      // As many of these as there are stand before one marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      if marker == Marker.end { return bare + [0xFF, Marker.end] }
      guard at + 3 < jpeg.count else { return nil }
      let length = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
      guard length >= 2, length <= jpeg.count - at - 2 else { return nil }
      if let kept = kept(jpeg[(at + 4)..<(at + 2 + length)], of: marker) {
        bare += [0xFF, marker, UInt8((kept.count + 2) >> 8), UInt8((kept.count + 2) & 255)]
        bare += kept
      }
      at += 2 + length
      if marker == Marker.scan {
        let end = endOfScan(jpeg, from: at)
        bare += jpeg[at..<end]
        at = end
      }
    }
    return nil
  }

  /// What a picture needs of a segment; nil for one that it does not need.
  private static func kept(_ body: ArraySlice<UInt8>, of marker: UInt8) -> ArraySlice<UInt8>? {
    switch marker {
    case Marker.frames, Marker.codes, Marker.scan, Marker.quantization, Marker.restartInterval: body
    // These two say which colours the components are. The first may have a small picture behind it.
    case Marker.jfif where body.count >= 14 && body.starts(with: "JFIF\0".utf8): body.prefix(12) + [0, 0]
    case Marker.adobe where body.count >= 12 && body.starts(with: "Adobe".utf8): body.prefix(12)
    default: nil
    }
  }

  /// Where the next marker stands, behind coded bytes with their zeros and restarts.
  private static func endOfScan(_ jpeg: [UInt8], from start: Int) -> Int {
    var at = start
    while let mark = jpeg[at...].firstIndex(of: 0xFF) {
      guard let next = jpeg[mark...].firstIndex(where: { $0 != 0xFF }) else { break }
      guard jpeg[next] == 0 || Marker.restarts.contains(jpeg[next]) else { return mark }
      at = next + 1
    }
    return jpeg.count
  }
}
