/// Reads ink from bytes that may be anything: it never reads past the end, and allocates nothing for a count before the
/// bytes for it are there.
struct BlobReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func ink() throws(InkError) -> Ink {
    let isInscribed = bytes.starts(with: BlobFormat.inscribedMagic)
    try skip(isInscribed ? BlobFormat.inscribedMagic : BlobFormat.magic)
    let coordinateUnit = try unit()
    let timeUnit = try unit()
    let canvas = try canvas()
    let device = try text()
    let inscription = isInscribed ? try inscription() : .none
    let count = try count(of: "strokes", atMost: InkLimits.strokes)
    var strokes: [Stroke] = []
    var total = 0
    for _ in 0..<count {
      let stroke = try stroke(coordinateUnit, timeUnit)
      total += stroke.points.count
      guard total <= InkLimits.points else { throw failure("has more than \(InkLimits.points) points") }
      strokes.append(stroke)
    }
    try end()
    return try Ink(validating: strokes, canvas: canvas, device: device, inscription: inscription)
  }

  mutating func skip(_ magic: [UInt8]) throws(InkError) {
    for expected in magic {
      guard try byte() == expected else {
        throw failure("does not start with the name and version of a stored signature")
      }
    }
  }

  func end() throws(InkError) {
    guard place == bytes.count else { throw failure("has \(bytes.count - place) bytes too many") }
  }

  mutating func inscription() throws(InkError) -> Inscription {
    Inscription(
      name: try text(atMost: InkLimits.inscriptionBytes), date: try text(atMost: InkLimits.inscriptionBytes),
      reason: try text(atMost: InkLimits.inscriptionBytes))
  }

  private mutating func stroke(_ coordinateUnit: Int, _ timeUnit: Int) throws(InkError) -> Stroke {
    let has = try byte()
    var pen = has & BlobFormat.Has.pen != 0 ? try pen() : .standard
    pen.isFiltered = has & BlobFormat.Has.filter != 0
    pen.erases = has & BlobFormat.Has.eraser != 0
    let count = try count(of: "points", atMost: InkLimits.pointsPerStroke)
    var points: [StrokePoint] = []
    points.reserveCapacity(count)
    var last = GridPoint()
    for _ in 0..<count {
      last.x = try sum(last.x, try signed(), unit: coordinateUnit)
      last.y = try sum(last.y, try signed(), unit: coordinateUnit)
      last.time = try sum(last.time, try signed(), unit: timeUnit)
      if has & BlobFormat.Has.pressure != 0 { last.pressure = try sum(last.pressure, try signed()) }
      if has & BlobFormat.Has.altitude != 0 { last.altitude = try sum(last.altitude, try signed()) }
      if has & BlobFormat.Has.azimuth != 0 { last.azimuth = try sum(last.azimuth, try signed()) }
      points.append(last.point)
    }
    return Stroke(points: points, pen: pen)
  }

  private mutating func canvas() throws(InkError) -> Canvas? {
    guard let width = GridPoint.value(try unsigned(), Grid.coordinate) else { return nil }
    return Canvas(
      width: width, height: Double(try unsigned()) / Grid.coordinate,
      devicePixelRatio: Double(try unsigned()) / Grid.coordinate)
  }

  private mutating func pen() throws(InkError) -> Pen {
    Pen(
      color: try unsigned() == 0 ? nil : try text(),
      minimumRadius: GridPoint.value(try unsigned(), Grid.coordinate),
      maximumRadius: GridPoint.value(try unsigned(), Grid.coordinate),
      dotRadius: GridPoint.value(try unsigned(), Grid.coordinate),
      velocityFilterWeight: GridPoint.value(try unsigned(), Grid.pressure))
  }

  private mutating func text(atMost bound: Int = InkLimits.textBytes) throws(InkError) -> String {
    let count = try count(of: "bytes of text", atMost: bound)
    guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else {
      throw failure("has text that is not UTF-8")
    }
    place += count
    return text
  }

  /// A count of elements of at least one byte each.
  mutating func count(of things: String, atMost bound: Int) throws(InkError) -> Int {
    let count = try unsigned()
    guard count <= bound else { throw failure("claims \(count) \(things), more than the \(bound) allowed") }
    guard count <= bytes.count - place else { throw failure("ends before its \(count) \(things)") }
    return count
  }

  private mutating func unit() throws(InkError) -> Int {
    let index = Int(try byte())
    guard index < BlobFormat.units.count else { throw failure("has an unknown unit") }
    return BlobFormat.units[index]
  }

  func sum(_ last: Int, _ difference: Int, unit: Int = 1) throws(InkError) -> Int {
    let (scaled, overflow) = difference.multipliedReportingOverflow(by: unit)
    let (sum, overflows) = last.addingReportingOverflow(scaled)
    // Leaves room for one more, since values that may be missing are stored plus one.
    guard !overflow, !overflows, sum.magnitude < Int.max / 2 else { throw failure("has a difference out of range") }
    return sum
  }

  mutating func signed() throws(InkError) -> Int {
    let value = try unsigned()
    return value & 1 == 0 ? value >> 1 : ~(value >> 1)
  }

  mutating func unsigned() throws(InkError) -> Int {
    var value = 0
    for shift in stride(from: 0, through: 56, by: 7) {
      let next = try byte()
      value |= Int(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
    }
    throw failure("has a number of more than 63 bits")
  }

  private mutating func byte() throws(InkError) -> UInt8 {
    guard place < bytes.count else { throw failure("ends too early") }
    defer { place += 1 }
    return bytes[place]
  }

  private func failure(_ finding: String) -> InkError {
    InkError(path: "blob", finding: finding, requirement: "send the stored bytes unchanged")
  }
}
