/// Reads Wacom's Universal Ink Model 3.1: a RIFF file whose chunks are protobuf messages.
///
/// The ink is a curve through points in device-independent pixels. Time, pressure and the pen's angles come from the
/// sensor samples that the curve refers to. The file's knowledge and views are ignored.
struct UniversalInk {
  static let magic = Array("RIFF".utf8)

  private var channels: [[UInt8]: Channel] = [:]
  private var samples: [[UInt8]: [[UInt8]: [Double]]] = [:]

  /// What a channel measures, as the last word of its type says.
  private enum Quantity: String {
    case time = "Timestamp"
    case pressure = "Pressure"
    case altitude = "Altitude"
    case azimuth = "Azimuth"
  }

  private struct Channel {
    /// nil for a quantity that points do not have.
    var quantity: Quantity?
    var scale = 1.0
    var least = 0.0
    var most = 0.0
  }

  static func read(_ bytes: [UInt8]) throws(InkError) -> [Stroke] {
    let chunks = try Chunks(bytes)
    var file = UniversalInk()
    if let input = try chunks.message("INPT") { try file.readInput(input) }
    guard let ink = try chunks.message("INKD") else { throw failure("has no ink") }
    return try file.strokes(ink)
  }

  static func failure(_ finding: String) -> InkError {
    InkError(path: "UIM", finding: finding, requirement: "read are whole files of the Universal Ink Model 3.1")
  }

  /// A name by which parts of the file refer to each other, or a kind. It is bounded, since it is compared for each
  /// point.
  static func name(_ field: WireField) throws(InkError) -> [UInt8] {
    let name = try field.bytes()
    guard name.count <= InkLimits.textBytes else {
      throw failure("has a name of \(name.count) bytes; at most \(InkLimits.textBytes) are read")
    }
    return name
  }

  // MARK: The sensor

  private mutating func readInput(_ input: WireMessage) throws(InkError) {
    for field in try input.fields() {
      switch field.number {
      case 1:
        for context in try field.message().fields() where context.number == 5 {
          for list in try context.message().fields() where list.number == 2 {
            for channel in try list.message().fields() where channel.number == 2 {
              try add(channel: channel.message())
            }
          }
        }
      case 2: try add(samples: field.message())
      default: break
      }
    }
  }

  private mutating func add(channel message: WireMessage) throws(InkError) {
    var channel = Channel()
    var id: [UInt8] = []
    var resolution = 0.0, precision = 0
    for field in try message.fields() {
      switch field.number {
      case 1: id = try Self.name(field)
      case 2:
        let type = String(decoding: try Self.name(field), as: UTF8.self)
        channel.quantity = type.split(separator: "/").last.flatMap { Quantity(rawValue: String($0)) }
      case 4: resolution = try field.double()
      case 5: channel.least = try field.float()
      case 6: channel.most = try field.float()
      case 7: precision = Int(truncatingIfNeeded: try field.integer())
      default: break
      }
    }
    guard (0...15).contains(precision) else { throw Self.failure("has a precision of \(precision) places") }
    channel.scale = resolution == 0 ? 1 : resolution
    for _ in 0..<precision { channel.scale *= 10 }
    channels[id] = channel
  }

  private mutating func add(samples message: WireMessage) throws(InkError) {
    var id: [UInt8] = []
    var values: [[UInt8]: [Double]] = [:]
    for field in try message.fields() {
      switch field.number {
      case 1: id = try Self.name(field)
      case 5:
        var channel: [UInt8] = []
        var numbers: [Double] = []
        for part in try field.message().fields() {
          switch part.number {
          case 1: channel = try Self.name(part)
          case 2: numbers += try part.signedIntegers()
          default: break
          }
        }
        // Bounded, since each point has a value for each channel.
        guard values.count < InkLimits.channels else {
          throw Self.failure("has sensor data of more than \(InkLimits.channels) channels")
        }
        values[channel] = Self.sums(numbers, channels[channel]?.scale ?? 1)
      default: break
      }
    }
    samples[id] = values
  }

  /// Undoes differences: every number is stored relative to the one before, in the channel's smallest steps.
  private static func sums(_ differences: [Double], _ scale: Double) -> [Double] {
    var sum = 0.0
    return differences.map { difference in
      sum += difference
      return sum / scale
    }
  }

  // MARK: The ink

  private func strokes(_ ink: WireMessage) throws(InkError) -> [Stroke] {
    var strokes: [UniversalStroke] = []
    var scale = 0.0
    var matrix: [Int: Double]?
    var modes: [String] = []
    for field in try ink.fields() {
      switch field.number {
      case 1: strokes.append(try UniversalStroke(field.message()))
      case 2: scale = try field.float()
      case 3:
        var entries: [Int: Double] = [:]
        for entry in try field.message().fields() { entries[entry.number] = try entry.float() }
        matrix = entries
      case 5: modes.append(String(decoding: try Self.name(field), as: UTF8.self))
      default: break
      }
    }
    let transform = Transform(matrix, scale)
    var collector = StrokeCollector()
    for (index, stroke) in strokes.enumerated() {
      try collector.begin(try pen(of: stroke, index, modes, transform))
      for place in stroke.visible { try collector.add(point(place, of: stroke, transform)) }
    }
    return collector.strokes
  }

  private func pen(
    of stroke: UniversalStroke, _ index: Int, _ modes: [String], _ transform: Transform
  ) throws(InkError) -> Pen {
    var mode = stroke.renderMode
    if stroke.renderModeIndex > 0 {
      guard stroke.renderModeIndex <= modes.count else {
        throw Self.failure("names a render mode that it does not have")
      }
      mode = modes[stroke.renderModeIndex - 1]
    }
    let name = mode.lowercased().split(separator: "/").last.map(String.init) ?? ""
    let erases = name == "destinationout" || name == "erase"
    guard erases || name.isEmpty || name == "sourceover" else {
      throw InkError(
        path: "strokes[\(index)].renderMode", finding: "is \(excerpt(mode))",
        requirement: "a stroke is ink ('SourceOver') or erases ('DestinationOut')")
    }
    let sizes = stroke.sizes.filter { $0 > 0 }
    let radius = { (size: Double?) in size.map { $0 / 2 * transform.scale } }
    return Pen(minimumRadius: radius(sizes.min()), maximumRadius: radius(sizes.max()), erases: erases)
  }

  private func point(_ place: Int, of stroke: UniversalStroke, _ transform: Transform) -> StrokePoint {
    let (x, y) = transform.apply(stroke.x[place], stroke.y[place])
    var point = StrokePoint(x: x, y: y, time: Double(place) * 10)
    for (id, values) in samples[stroke.sensorData] ?? [:] where !values.isEmpty {
      guard let channel = channels[id] else { continue }
      let value = values[min(stroke.sample(at: place), values.count - 1)]
      switch channel.quantity {
      case .time?: point.time = value * 1000
      case .pressure?:
        let range = channel.most - channel.least
        point.pressure = range > 0 ? (value - channel.least) / range : value
      case .altitude?: point.altitude = Self.degrees(value)
      case .azimuth?:
        let angle = Self.degrees(value)
        point.azimuth = angle - (angle / 360).rounded(.down) * 360
      case nil: break
      }
    }
    return point
  }

  private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  /// Converts a file's units to CSS pixels.
  private struct Transform {
    let scale: Double
    private let entries: (Double, Double, Double, Double, Double, Double)

    /// - Parameter matrix: rows of four, counted from one; only its first two rows matter on paper.
    init(_ matrix: [Int: Double]?, _ scale: Double) {
      let factor = scale == 0 ? 1 : scale
      let entry = { (number: Int) in matrix?[number] ?? 0 }
      let isGiven = matrix?.values.contains { $0 != 0 } ?? false
      entries =
        isGiven ? (entry(1), entry(2), entry(4), entry(5), entry(6), entry(8)) : (factor, 0, 0, 0, factor, 0)
      self.scale = (entries.0 * entries.4 - entries.1 * entries.3).magnitude.squareRoot()
    }

    func apply(_ x: Double, _ y: Double) -> (Double, Double) {
      (entries.0 * x + entries.1 * y + entries.2, entries.3 * x + entries.4 * y + entries.5)
    }
  }
}

/// A stroke as the file stores it.
private struct UniversalStroke {
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  private(set) var sizes: [Double] = []
  private(set) var renderMode = ""
  private(set) var renderModeIndex = 0
  private(set) var sensorData: [UInt8] = []
  private var offset = 0
  private var mapping: [Int] = []

  init(_ message: WireMessage) throws(InkError) {
    var precisions = 0
    var compressed: [WireField] = []
    for field in try message.fields() {
      switch field.number {
      case 2: precisions = try field.smallInteger()
      case 5:
        for part in try field.message().fields() {
          switch part.number {
          case 1: x += try part.floats()
          case 2: y += try part.floats()
          case 8: sizes += try part.floats()
          default: break
          }
        }
      case 6: compressed.append(field)
      case 8:
        for part in try field.message().fields() where part.number == 2 { sizes.append(try part.float()) }
      case 11: renderModeIndex = Int(truncatingIfNeeded: try field.integer())
      case 12: renderMode = String(decoding: try UniversalInk.name(field), as: UTF8.self)
      case 14: offset = Int(truncatingIfNeeded: try field.integer())
      case 15: sensorData = try UniversalInk.name(field)
      case 16: mapping += try field.integers()
      default: break
      }
    }
    for field in compressed { try read(compressed: field.message(), precisions) }
    guard x.count == y.count, renderModeIndex >= 0, offset >= 0 else {
      throw UniversalInk.failure("has a stroke of \(x.count) values of x and \(y.count) of y")
    }
  }

  private mutating func read(compressed message: WireMessage, _ precisions: Int) throws(InkError) {
    for part in try message.fields() {
      switch part.number {
      case 1: x += Self.sums(try part.signedIntegers(), precisions & 0xF)
      case 2: y += Self.sums(try part.signedIntegers(), precisions & 0xF)
      case 8: sizes += Self.sums(try part.signedIntegers(), precisions >> 4 & 0xF)
      default: break
      }
    }
  }

  private static func sums(_ differences: [Double], _ precision: Int) -> [Double] {
    var scale = 1.0, sum = 0.0
    for _ in 0..<precision { scale *= 10 }
    return differences.map { difference in
      sum += difference
      return sum / scale
    }
  }

  /// The range of the points that are drawn. The first and the last point occur twice, to mark the curve's ends.
  var visible: Range<Int> {
    guard x.count > 2 else { return 0..<x.count }
    let isSame = { (one: Int, other: Int) in x[one] == x[other] && y[one] == y[other] }
    let first = isSame(0, 1) ? 1 : 0
    let end = isSame(x.count - 1, x.count - 2) ? x.count - 1 : x.count
    return first..<max(end, first + 1)
  }

  /// The number of the sensor's sample that belongs to a point.
  func sample(at place: Int) -> Int {
    guard let last = mapping.last else {
      if offset == 0 { return max(0, place - 1) }
      let (number, isTooLarge) = offset.addingReportingOverflow(place)
      return isTooLarge ? .max : number
    }
    return max(0, place < mapping.count ? mapping[place] : last)
  }
}

/// The chunks of the file.
private struct Chunks {
  private var found: [String: ArraySlice<UInt8>] = [:]
  private var isReadable: [String: Bool] = [:]

  init(_ bytes: [UInt8]) throws(InkError) {
    guard bytes.count > 24, Self.name(bytes, 8) == "UINK", Self.name(bytes, 12) == "HEAD",
      bytes[20] == 3, bytes[21] == 1, bytes[22] == 0
    else { throw UniversalInk.failure("is another kind of RIFF file, or of another version") }
    let headSize = Self.number(bytes, 16)
    guard headSize >= 4, headSize <= 4 + 8 * Self.mostChunks, 20 + headSize <= bytes.count else {
      throw UniversalInk.failure("has a header of \(headSize) bytes")
    }
    var place = 20 + headSize + headSize % 2
    for index in 0..<(headSize - 4) / 8 {
      guard place + 8 <= bytes.count else { throw UniversalInk.failure("ends before its last chunk") }
      let size = Self.number(bytes, place + 4)
      guard size <= bytes.count - place - 8 else { throw UniversalInk.failure("ends within a chunk") }
      let name = Self.name(bytes, place)
      found[name] = bytes[place + 8..<place + 8 + size]
      // A protobuf message, and not compressed.
      isReadable[name] = bytes[24 + index * 8 + 3] == 1 && bytes[24 + index * 8 + 4] == 0
      place += 8 + size + size % 2
    }
  }

  private static let mostChunks = 64

  func message(_ name: String) throws(InkError) -> WireMessage? {
    guard let bytes = found[name] else { return nil }
    guard isReadable[name] == true else {
      throw UniversalInk.failure("has a chunk \(name) that is compressed, or JSON")
    }
    return WireMessage(bytes)
  }

  private static func name(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
