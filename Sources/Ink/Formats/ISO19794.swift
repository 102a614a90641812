extension Ink {
  /// The strokes as signature time series of ISO/IEC 19794-7:2007, in its full format: X, Y, T, S (pen down) and, if
  /// known, F (force), azimuth and elevation. One sample of a pen in the air separates two strokes.
  ///
  /// Positions are in millimetres at 96 pixels to the inch, with y upward from the canvas's lower edge. The least and
  /// greatest values of X and Y are the canvas's edges, so that a reader knows where on it the ink is.
  ///
  /// - Throws: for strokes that erase, which the format does not have: they would be read as ink.
  public func iso19794() throws(InkError) -> [UInt8] {
    if let eraser = strokes.firstIndex(where: \.pen.erases) {
      throw InkError(
        path: "strokes[\(eraser)].pen", finding: "erases",
        requirement: "ISO/IEC 19794-7 has ink only; signature_pad's JSON and InkML keep what was erased")
    }
    return ISO19794(self).bytes
  }
}

private struct ISO19794 {
  private(set) var bytes = Array("SDI\0 10\0".utf8)

  /// One bit for each channel, in the order in which a sample holds their values.
  private enum Channel {
    static let x: UInt16 = 0x8000
    static let y: UInt16 = 0x4000
    static let time: UInt16 = 0x0100
    static let force: UInt16 = 0x0040
    static let down: UInt16 = 0x0020
    static let azimuth: UInt16 = 0x0004
    static let elevation: UInt16 = 0x0002
  }

  /// The bits that say which fields follow a channel's description byte.
  private enum Has {
    static let scaling: UInt8 = 0x80
    static let leastAndMost: UInt8 = 0x60
  }

  private static let millimetresPerPixel = 25.4 / 96

  private let ink: Ink
  private let height: Double
  private let start: Double
  private var place = Scaling(fitting: 0, into: 1)
  private var time = Scaling(fitting: 0, into: 1)
  private var channels: UInt16 = 0

  init(_ ink: Ink) {
    self.ink = ink
    let points = ink.strokes.flatMap(\.points)
    height = ink.canvas?.height ?? points.map(\.y).max() ?? 0
    start = points.map(\.time).min() ?? 0
    let edges = [ink.canvas?.width, ink.canvas?.height].compactMap(\.self)
    let farthest = (points.map { max($0.x.magnitude, (height - $0.y).magnitude) } + edges).max() ?? 0
    place = Scaling(fitting: farthest * Self.millimetresPerPixel, into: 32_767)
    time = Scaling(thousands: ((points.map(\.time).max() ?? 0) - start) / 1000)
    channels = Channel.x | Channel.y | Channel.time | Channel.down
    if points.contains(where: { $0.pressure != nil }) { channels |= Channel.force }
    if points.contains(where: { $0.azimuth != nil }) { channels |= Channel.azimuth }
    if points.contains(where: { $0.altitude != nil }) { channels |= Channel.elevation }
    writeHeader()
    writeBody(samples: points.count + ink.strokes.count - 1)
  }

  private mutating func writeHeader() {
    append(channels)
    for edge in [ink.canvas?.width, ink.canvas?.height] {
      bytes.append(edge == nil ? Has.scaling : Has.scaling | Has.leastAndMost)
      append(place.encoded)
      guard let edge else { continue }
      append(signed: 0)
      append(signed: edge * Self.millimetresPerPixel * place.value)
    }
    bytes.append(Has.scaling)
    append(time.encoded)
    if channels & Channel.force != 0 { range(0, 65_535) }
    range(0, 1)
    // Hundredths of a degree: the scaling of both is 100.
    for channel in [Channel.azimuth, Channel.elevation] where channels & channel != 0 {
      bytes.append(Has.scaling)
      append(Scaling.hundred.encoded)
    }
    bytes.append(0)
  }

  private mutating func range(_ least: UInt16, _ most: UInt16) {
    bytes.append(Has.leastAndMost)
    append(least)
    append(most)
  }

  private mutating func writeBody(samples: Int) {
    // No extended data; then the count in three bytes.
    bytes.append(0)
    for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: samples >> shift)) }
    for (index, stroke) in ink.strokes.enumerated() {
      for point in stroke.points { write(point, isDown: true) }
      if index < ink.strokes.count - 1, let last = stroke.points.last { write(last, isDown: false) }
    }
  }

  private mutating func write(_ point: StrokePoint, isDown: Bool) {
    append(signed: point.x * Self.millimetresPerPixel * place.value)
    append(signed: (height - point.y) * Self.millimetresPerPixel * place.value)
    append(unsigned: (point.time - start) / 1000 * time.value)
    if channels & Channel.force != 0 { append(unsigned: isDown ? (point.pressure ?? 0) * 65_535 : 0) }
    bytes.append(isDown ? 1 : 0)
    if channels & Channel.azimuth != 0 { append(unsigned: (point.azimuth ?? 0) * 100) }
    if channels & Channel.elevation != 0 { append(unsigned: (point.altitude ?? 0) * 100) }
  }

  /// Values that may be negative are stored with 32,768 added.
  private mutating func append(signed value: Double) { append(unsigned: value.rounded() + 32_768) }

  private mutating func append(unsigned value: Double) { append(UInt16(min(max(value.rounded(), 0), 65_535))) }

  private mutating func append(_ value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }
}

/// A scaling value: (1 + fraction / 2048) · 2^(exponent − 16), five bits of exponent and eleven of fraction. A stored
/// number divided by it is a value in the channel's unit.
private struct Scaling {
  let value: Double
  let encoded: UInt16

  /// The largest power of two by which `most` stays within `range`.
  init(fitting most: Double, into range: Double) {
    var exponent = 31, value = 32_768.0
    while exponent > 0, most * value > range {
      exponent -= 1
      value /= 2
    }
    self.value = value
    encoded = UInt16(exponent) << 11
  }

  /// A thousand to a second, or as many times halved as needed so that the signature's duration fits into two bytes.
  init(thousands seconds: Double) {
    // 1000 is (1 + 1952/2048) · 2⁹.
    var exponent = 25, value = 1000.0
    while exponent > 0, seconds * value > 65_535 {
      exponent -= 1
      value /= 2
    }
    self.value = value
    encoded = UInt16(exponent) << 11 | 1952
  }

  private init(value: Double, encoded: UInt16) {
    self.value = value
    self.encoded = encoded
  }

  /// 100 is (1 + 1152/2048) · 2⁶.
  static let hundred = Scaling(value: 100, encoded: 22 << 11 | 1152)
}
