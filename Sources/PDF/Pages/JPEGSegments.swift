enum JPEGMarker {
  /// Baseline, extended and progressive frames.
  static let frames: ClosedRange<UInt8> = 0xC0...0xC2
  static let codes: UInt8 = 0xC4
  static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
  static let end: UInt8 = 0xD9
  static let scan: UInt8 = 0xDA
  static let quantization: UInt8 = 0xDB
  static let restartInterval: UInt8 = 0xDD
  static let jfif: UInt8 = 0xE0
  static let exif: UInt8 = 0xE1
  static let adobe: UInt8 = 0xEE
}

/// The segments of a JPEG, one after the other, up to the header of a scan. Once the scan's coded bytes are taken, the
/// segments after them follow.
struct JPEGSegments: Sequence, IteratorProtocol {
  private let jpeg: [UInt8]
  private var at = 2
  private var isInScan = false

  init(_ jpeg: [UInt8]) {
    self.jpeg = jpeg
  }

  /// Whether the picture's end is next, as opposed to bytes that are not a segment.
  var isAtEnd: Bool { !isInScan && at + 1 < jpeg.count && jpeg[at] == 0xFF && jpeg[at + 1] == JPEGMarker.end }

  mutating func next() -> (marker: UInt8, body: ArraySlice<UInt8>)? {
    if isInScan { return nil }
    // Any number of these fill bytes may precede a marker.
    while at + 1 < jpeg.count, jpeg[at] == 0xFF, jpeg[at + 1] == 0xFF { at += 1 }
    guard at + 3 < jpeg.count, jpeg[at] == 0xFF, !isAtEnd else { return nil }
    let (marker, length) = (jpeg[at + 1], Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3]))
    guard length >= 2, length <= jpeg.count - at - 2 else { return nil }
    let body = jpeg[(at + 4)..<(at + 2 + length)]
    at += 2 + length
    isInScan = marker == JPEGMarker.scan
    return (marker, body)
  }

  /// The coded bytes after a scan's header, with stuffed zeros and restart markers.
  mutating func takeScan() -> ArraySlice<UInt8> {
    let start = at
    isInScan = false
    while let mark = jpeg[at...].firstIndex(of: 0xFF), let next = jpeg[mark...].firstIndex(where: { $0 != 0xFF }) {
      guard jpeg[next] == 0 || JPEGMarker.restarts.contains(jpeg[next]) else {
        at = mark
        return jpeg[start..<mark]
      }
      at = next + 1
    }
    at = jpeg.count
    return jpeg[start...]
  }
}
