/// Strips a JPEG of everything that its picture does not need.
///
/// Documents contain the JPEG as it is, since filters cannot make it smaller. In a comment, or after the picture, its
/// author could hide another document that the same signature would fit.
enum BareJPEG {
  /// - Returns: nil unless segments follow each other without gaps up to the picture's end.
  static func bytes(of jpeg: [UInt8]) -> [UInt8]? {
    guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
    var bare: [UInt8] = [0xFF, 0xD8]
    var segments = JPEGSegments(jpeg)
    while let (marker, body) = segments.next() {
      if let kept = kept(body, of: marker) {
        bare += [0xFF, marker, UInt8((kept.count + 2) >> 8), UInt8((kept.count + 2) & 255)]
        bare += kept
      }
      if marker == JPEGMarker.scan { bare += segments.takeScan() }
    }
    return segments.isAtEnd ? bare + [0xFF, JPEGMarker.end] : nil
  }

  /// The part of a segment that the picture needs; nil if it needs none.
  private static func kept(_ body: ArraySlice<UInt8>, of marker: UInt8) -> ArraySlice<UInt8>? {
    switch marker {
    case JPEGMarker.frames, JPEGMarker.codes, JPEGMarker.scan, JPEGMarker.quantization, JPEGMarker.restartInterval: body
    // These two tell how the components encode colours. The first one may contain a thumbnail, which is dropped.
    case JPEGMarker.jfif where body.count >= 14 && body.starts(with: "JFIF\0".utf8): body.prefix(12) + [0, 0]
    case JPEGMarker.adobe where body.count >= 12 && body.starts(with: "Adobe".utf8): body.prefix(12)
    default: nil
    }
  }
}
