/// The compressed text of jSignature, `image/jsignature;base30,…`: for each stroke the way from point to point along x,
/// and then along y, parted by `_`. A pad counts in whole pixels and keeps no times.
///
/// A number is written to base 30. Its first digit is one of 0 to 9 and a to t, and each further one is moved 30 places
/// on, to u to z and A to X, so that numbers need nothing between them. Z says that those from there on are negative, Y
/// that they are positive again.
enum JSignatureText {
  static let magic = Array("image/jsignature;base30,".utf8)

  static func read(_ bytes: [UInt8]) throws(InkError) -> [Stroke] {
    var text = bytes.dropFirst(magic.count)
    while let last = text.last, [0x20, 0x0A, 0x0D, 0x09].contains(last) { text.removeLast() }
    var collector = StrokeCollector()
    var across: [Double]?
    for leg in text.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false) {
      guard let known = across else {
        across = try numbers(leg, collector.strokes.count)
        continue
      }
      across = nil
      let down = try numbers(leg, collector.strokes.count)
      try collector.begin()
      try add(known, down, to: &collector)
    }
    guard across == nil else {
      throw InkError(
        path: "strokes[\(collector.strokes.count)]", finding: "has places along x only",
        requirement: "a stroke has as many along y")
    }
    return collector.strokes
  }

  /// Adds points that are given by both coordinates apart to the last stroke. They come at the pace of a screen.
  static func add(_ across: [Double], _ down: [Double], to collector: inout StrokeCollector) throws(InkError) {
    guard across.count == down.count, !across.isEmpty else {
      throw InkError(
        path: "strokes[\(collector.strokes.count - 1)]",
        finding: "has \(across.count) places along x and \(down.count) along y",
        requirement: "a stroke has as many of both, and at least one")
    }
    for (index, (x, y)) in zip(across, down).enumerated() {
      try collector.add(StrokePoint(x: x, y: y, time: Double(index) * 1000 / 60))
    }
  }

  private static func numbers(_ leg: ArraySlice<UInt8>, _ stroke: Int) throws(InkError) -> [Double] {
    var places: [Double] = []
    var (place, sign, number) = (0.0, 1.0, Double?.none)
    func end() {
      guard let way = number else { return }
      place += way * sign
      places.append(place)
      number = nil
    }
    for byte in leg {
      guard places.count < InkLimits.pointsPerStroke else { break }
      switch byte {
      case UInt8(ascii: "Z"), UInt8(ascii: "Y"):
        end()
        sign = byte == UInt8(ascii: "Z") ? -1 : 1
      default:
        guard let digit = digits.firstIndex(of: byte) else { throw misread(byte, stroke) }
        if digit < 30 {
          end()
          number = Double(digit)
        } else {
          guard let before = number else { throw misread(byte, stroke) }
          number = before * 30 + Double(digit - 30)
        }
      }
    }
    end()
    return places
  }

  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX".utf8)

  private static func misread(_ byte: UInt8, _ stroke: Int) -> InkError {
    InkError(
      path: "strokes[\(stroke)]",
      finding: "has \(excerpt(String(decoding: [byte], as: UTF8.self))) where it means nothing",
      requirement: "jSignature writes digits to base 30, Y, Z and _")
  }
}
