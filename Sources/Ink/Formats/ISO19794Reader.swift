/// Reads signature time series of ISO/IEC 19794-7:2007 in their full format, from any maker.
///
/// A scaling value turns numbers into millimetres, seconds and degrees; where a channel has none, its numbers are taken
/// for the units themselves. Y points up. Where the header says that its values begin at 0, the greatest one that it
/// names is the surface's upper edge; otherwise the surface is unknown, and the topmost point becomes y = 0.
struct ISO19794Reader {
  static let magic = Array("SDI\0".utf8)

  /// The channels in the order of their bits, from the highest.
  private enum Channel: Int, CaseIterable {
    case x, y, z, velocityX, velocityY, accelerationX, accelerationY, time, step, force, down, tiltX, tiltY, azimuth,
      elevation, rotation

    /// Whether 32,768 is added to the stored values, so that they may be negative.
    var isSigned: Bool { rawValue <= Channel.accelerationY.rawValue || self == .tiltX || self == .tiltY }
  }

  private struct Format {
    let channel: Channel
    var scale = 1.0
    var least = 0.0
    var most: Double?
    var constant: Double?
    var hasLeast = false

    var upperEdge: Double? { hasLeast && least == 0 ? most.map { $0 / scale } : nil }
  }

  private let bytes: [UInt8]
  private var place = 8

  static func read(_ bytes: [UInt8]) throws(InkError) -> [Stroke] {
    var reader = ISO19794Reader(bytes)
    return try reader.strokes()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func strokes() throws(InkError) -> [Stroke] {
    guard bytes.count >= 8, Array(bytes[4..<8]) == Array(" 10\0".utf8) else {
      throw failure("is of another version than 1.0")
    }
    let formats = try header()
    guard formats.contains(where: { $0.channel == .x }), formats.contains(where: { $0.channel == .y }) else {
      throw failure("has no X or no Y")
    }
    let samples = try body(formats)
    let hasPen = formats.contains { $0.channel == .down }
    let highest = samples.compactMap { $0[Channel.y.rawValue] }.max() ?? 0
    let top = formats.first { $0.channel == .y }?.upperEdge.map { max($0, highest) } ?? highest
    var collector = StrokeCollector()
    var isDown = false
    var clock = 0.0
    for (index, sample) in samples.enumerated() {
      clock = sample[Channel.time.rawValue] ?? sample[Channel.step.rawValue].map { clock + $0 } ?? Double(index) * 0.01
      let touches = hasPen ? sample[Channel.down.rawValue] ?? 0 > 0 : sample[Channel.force.rawValue] ?? 1 > 0
      guard touches else {
        isDown = false
        continue
      }
      if !isDown { try collector.begin() }
      isDown = true
      try collector.add(Self.point(sample, top, clock, formats))
    }
    return collector.strokes
  }

  private static let pixelsPerMillimetre = 96 / 25.4

  private static func point(_ sample: [Double?], _ top: Double, _ clock: Double, _ formats: [Format]) -> StrokePoint {
    let value = { (channel: Channel) in sample[channel.rawValue] }
    let force = formats.first { $0.channel == .force }
    let pressure = value(.force).map { number in
      let least = force?.least ?? 0
      return (number - least) / max((force?.most ?? 65_535) - least, 1)
    }
    return StrokePoint(
      x: (value(.x) ?? .nan) * pixelsPerMillimetre, y: (top - (value(.y) ?? .nan)) * pixelsPerMillimetre,
      time: clock * 1000, pressure: pressure, altitude: value(.elevation), azimuth: value(.azimuth))
  }

  private mutating func header() throws(InkError) -> [Format] {
    let inclusion = try word()
    var formats: [Format] = []
    for channel in Channel.allCases where inclusion >> (15 - channel.rawValue) & 1 == 1 {
      var format = Format(channel: channel)
      let has = try byte()
      if has & 0x80 != 0 {
        let coded = try word()
        var scale = 1 + Double(coded & 0x7FF) / 2048
        let exponent = (coded >> 11) - 16
        for _ in 0..<abs(exponent) { scale = exponent < 0 ? scale / 2 : scale * 2 }
        format.scale = scale
      }
      if has & 0x40 != 0 { (format.least, format.hasLeast) = (try stated(channel), true) }
      if has & 0x20 != 0 { format.most = try stated(channel) }
      // Mean and standard deviation are not needed for drawing.
      for bit: UInt8 in [0x10, 0x08] where has & bit != 0 { _ = try word() }
      // The value of a constant channel may stand in the header alone.
      if has & 0x04 != 0 { format.constant = format.least }
      guard has & 0x02 == 0 else {
        throw failure("has a channel (\(channel)) from which the linear component was removed, so that places are lost")
      }
      formats.append(format)
    }
    guard try byte() == 0 else { throw failure("has a reserved byte that is not zero") }
    return formats
  }

  private mutating func body(_ formats: [Format]) throws(InkError) -> [[Double?]] {
    guard try byte() == 0 else { throw failure("has extended data, which is not read") }
    let count = Int(try byte()) << 16 | (try word())
    let whole = formats.reduce(0) { $0 + ($1.channel == .down ? 1 : 2) }
    let varying = formats.filter { $0.constant == nil }.reduce(0) { $0 + ($1.channel == .down ? 1 : 2) }
    // According to the standard's ASN.1, samples contain every channel, but some makers omit the constant ones. Whether
    // this file does follows from its length.
    let holdsConstants = count * whole == bytes.count - place
    let size = holdsConstants ? whole : varying
    guard count * max(size, 1) == bytes.count - place, size > 0 else {
      throw failure("says that \(count) samples of \(size) bytes follow, but \(bytes.count - place) bytes do")
    }
    // Between any two samples there may be one of a pen in the air.
    guard count <= InkLimits.points * 2 else { throw failure("has more than \(InkLimits.points * 2) samples") }
    var samples: [[Double?]] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      var sample = [Double?](repeating: nil, count: Channel.allCases.count)
      for format in formats {
        let raw: Double =
          if !holdsConstants, let constant = format.constant { constant } else { try value(format.channel) }
        sample[format.channel.rawValue] = format.channel == .force ? raw : raw / format.scale
      }
      samples.append(sample)
    }
    return samples
  }

  private mutating func value(_ channel: Channel) throws(InkError) -> Double {
    channel == .down ? Double(try byte()) : try stated(channel)
  }

  /// A value of a channel's description, which always has two bytes.
  private mutating func stated(_ channel: Channel) throws(InkError) -> Double {
    Double(try word() - (channel.isSigned ? 32_768 : 0))
  }

  private mutating func word() throws(InkError) -> Int { Int(try byte()) << 8 | Int(try byte()) }

  private mutating func byte() throws(InkError) -> UInt8 {
    guard place < bytes.count else { throw failure("ends too early") }
    defer { place += 1 }
    return bytes[place]
  }

  private func failure(_ finding: String) -> InkError {
    InkError(
      path: "ISO 19794-7", finding: finding,
      requirement: "read are signature time series of ISO/IEC 19794-7:2007 in the full format")
  }
}
