/// Writes ink as a blob.
struct BlobWriter {
  private(set) var bytes: [UInt8]

  init(_ magic: [UInt8]) {
    bytes = magic
  }

  static func bytes(of ink: Ink) -> [UInt8] {
    var writer = BlobWriter(ink.inscription == .none ? BlobFormat.magic : BlobFormat.inscribedMagic)
    writer.write(ink)
    return writer.bytes
  }

  private mutating func write(_ ink: Ink) {
    let strokes = ink.strokes.map { $0.points.map { GridPoint($0) } }
    let coordinateUnit = Self.unit(strokes) { ($0.x, $0.y) }
    let timeUnit = Self.unit(strokes) { ($0.time, 0) }
    bytes.append(UInt8(coordinateUnit))
    bytes.append(UInt8(timeUnit))
    write(ink.canvas)
    write(ink.device)
    if ink.inscription != .none { write(ink.inscription) }
    unsigned(ink.strokes.count)
    for (stroke, points) in zip(ink.strokes, strokes) {
      let has = Self.channels(points) | Self.kind(stroke.pen)
      bytes.append(has)
      if has & BlobFormat.Has.pen != 0 { write(stroke.pen) }
      write(points, BlobFormat.units[coordinateUnit], BlobFormat.units[timeUnit], has)
    }
  }

  private mutating func write(_ points: [GridPoint], _ coordinateUnit: Int, _ timeUnit: Int, _ has: UInt8) {
    unsigned(points.count)
    var last = GridPoint()
    for point in points {
      signed((point.x - last.x) / coordinateUnit)
      signed((point.y - last.y) / coordinateUnit)
      signed((point.time - last.time) / timeUnit)
      if has & BlobFormat.Has.pressure != 0 { signed(point.pressure - last.pressure) }
      if has & BlobFormat.Has.altitude != 0 { signed(point.altitude - last.altitude) }
      if has & BlobFormat.Has.azimuth != 0 { signed(point.azimuth - last.azimuth) }
      last = point
    }
  }

  private mutating func write(_ canvas: Canvas?) {
    unsigned(GridPoint.told(canvas?.width, Grid.coordinate))
    guard let canvas else { return }
    unsigned(GridPoint.steps(canvas.height, Grid.coordinate))
    unsigned(GridPoint.steps(canvas.devicePixelRatio, Grid.coordinate))
  }

  private mutating func write(_ pen: Pen) {
    unsigned(pen.color == nil ? 0 : 1)
    if let color = pen.color { write(color) }
    unsigned(GridPoint.told(pen.minimumRadius, Grid.coordinate))
    unsigned(GridPoint.told(pen.maximumRadius, Grid.coordinate))
    unsigned(GridPoint.told(pen.dotRadius, Grid.coordinate))
    unsigned(GridPoint.told(pen.velocityFilterWeight, Grid.pressure))
  }

  mutating func write(_ inscription: Inscription) {
    for part in inscription.parts { write(part) }
  }

  private mutating func write(_ text: String) {
    unsigned(text.utf8.count)
    bytes += text.utf8
  }

  /// Seven bits in each byte, lowest first; the eighth bit is set if more bytes follow.
  mutating func unsigned(_ value: Int) {
    var rest = UInt64(value)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Zigzag: the sign is in the lowest bit, so that small numbers are short on both sides of zero.
  mutating func signed(_ value: Int) {
    unsigned(value < 0 ? ~(value << 1) : value << 1)
  }

  /// The index of the coarsest unit that all values are multiples of.
  private static func unit(_ strokes: [[GridPoint]], _ values: (GridPoint) -> (Int, Int)) -> Int {
    var unit = 0
    for points in strokes {
      for point in points {
        let (first, second) = values(point)
        while first % BlobFormat.units[unit] != 0 || second % BlobFormat.units[unit] != 0 { unit += 1 }
      }
    }
    return unit
  }

  private static func kind(_ pen: Pen) -> UInt8 {
    (pen.settings == .standard ? 0 : BlobFormat.Has.pen) | (pen.isFiltered ? BlobFormat.Has.filter : 0)
      | (pen.erases ? BlobFormat.Has.eraser : 0)
  }

  private static func channels(_ points: [GridPoint]) -> UInt8 {
    (points.contains { $0.pressure > 0 } ? BlobFormat.Has.pressure : 0)
      | (points.contains { $0.altitude > 0 } ? BlobFormat.Has.altitude : 0)
      | (points.contains { $0.azimuth > 0 } ? BlobFormat.Has.azimuth : 0)
  }
}
