/// Strokes as JSON, in every form in which web pads have saved them:
///
/// - signature_pad 2: `[[{"x", "y", "time", "color"}, …], …]`
/// - signature_pad 3: `[{"color", "points": [{"x", "y", "time"}, …]}, …]`
/// - signature_pad 4 and 5: `[{"penColor", "dotSize", "minWidth", "maxWidth", …, "points": […]}, …]`
/// - perfect-freehand: one stroke `[[x, y, pressure], …]`, `[[x, y, pressure, time], …]` or
///   `[{"x", "y", "pressure"}, …]`, or several of the first two kinds
///
/// - jSignature: `[{"x": [x, …], "y": [y, …]}, …]`
///
/// A pad drops points that are close together before it saves, so all points of its files are drawn. `"filtered":false`
/// marks strokes that were captured otherwise and only written in a pad's form.
struct JSONStrokes {
  private var collector = StrokeCollector()
  /// Milliseconds between two points whose times are not stated.
  private static let pace = 1000.0 / 60

  static func read(_ bytes: [UInt8]) throws(InkError) -> [Stroke] {
    var reader = JSONReader(bytes)
    var strokes = JSONStrokes()
    try strokes.readAll(&reader)
    try reader.expectEnd()
    return strokes.collector.strokes
  }

  private enum Kind { case strokes, points }

  private mutating func readAll(_ reader: inout JSONReader) throws(InkError) {
    var kind: Kind?
    try reader.array { (reader, index) throws(InkError) in
      switch reader.peek() {
      case UInt8(ascii: "{"): kind = try readObject(&reader, index, kind)
      case UInt8(ascii: "["): kind = try readArray(&reader, index, kind)
      default: throw reader.failure("a stroke or a point")
      }
    }
  }

  /// A group of points with its pen, or a single point of the only stroke.
  private mutating func readObject(_ reader: inout JSONReader, _ index: Int, _ kind: Kind?) throws(InkError) -> Kind {
    if kind == .points {
      try addPoint(&reader, index)
      return .points
    }
    var pen = Pen(isFiltered: true)
    var point: PointFields?
    var hasPoints = false
    var (across, down): ([Double]?, [Double]?)
    try collector.begin()
    let stroke = collector.strokes.count - 1
    try reader.object { (reader, name) throws(InkError) in
      switch name {
      case "points":
        hasPoints = true
        try reader.array { (reader, index) throws(InkError) in try addPoint(&reader, index) }
      case "x" where reader.peek() == UInt8(ascii: "["): across = try Self.places(&reader)
      case "y" where reader.peek() == UInt8(ascii: "["): down = try Self.places(&reader)
      case "x", "y", "time", "t", "pressure", "p":
        var fields = point ?? PointFields(index: index)
        fields.set(name, try reader.number())
        point = fields
      default: try Self.read(name, &pen, &reader, stroke)
      }
    }
    if across != nil || down != nil {
      try JSignatureText.add(across ?? [], down ?? [], to: &collector)
      return .strokes
    }
    if hasPoints {
      collector.change(pen: pen)
      return .strokes
    }
    guard kind == nil, let point else { throw Self.noPoints(stroke) }
    try collector.add(point.value)
    return .points
  }

  private static func places(_ reader: inout JSONReader) throws(InkError) -> [Double] {
    var places: [Double] = []
    try reader.array { (reader, index) throws(InkError) in
      guard index < InkLimits.pointsPerStroke else { throw reader.failure("the end of a stroke") }
      places.append(try reader.number())
    }
    return places
  }

  /// A stroke's points, or a single point `[x, y, pressure]` of the only stroke.
  private mutating func readArray(_ reader: inout JSONReader, _ index: Int, _ kind: Kind?) throws(InkError) -> Kind {
    if kind == .points {
      try addPoint(&reader, index)
      return .points
    }
    try collector.begin()
    var numbers: [Double] = []
    var color: String?
    var isPad = false
    try reader.array { (reader, place) throws(InkError) in
      switch reader.peek() {
      case UInt8(ascii: "{"):
        isPad = true
        color = try addPoint(&reader, place) ?? color
      case UInt8(ascii: "["): try addPoint(&reader, place)
      default:
        guard kind == nil, numbers.count < 4, numbers.count == place else { throw reader.failure("a point") }
        numbers.append(try reader.number())
      }
    }
    if isPad { collector.change(pen: Pen(color: color, isFiltered: true)) }
    guard numbers.count >= 2 else { return .strokes }
    try collector.add(Self.freehand(numbers, index))
    return .points
  }

  /// Adds the next point to the last stroke; returns the colour that the point names, as in version 2.
  @discardableResult
  private mutating func addPoint(_ reader: inout JSONReader, _ index: Int) throws(InkError) -> String? {
    let path = "strokes[\(collector.strokes.count - 1)].points[\(index)]"
    if reader.peek() == UInt8(ascii: "[") {
      var numbers: [Double] = []
      try reader.array { (reader, place) throws(InkError) in
        guard place < 4 else { throw reader.failure("at most x, y, pressure and time of a point") }
        numbers.append(try reader.number())
      }
      guard numbers.count >= 2 else {
        throw InkError(path: path, finding: "has \(numbers.count) numbers", requirement: "a point has x and y")
      }
      try collector.add(Self.freehand(numbers, index))
      return nil
    }
    var fields = PointFields(index: index)
    var color: String?
    try reader.object { (reader, name) throws(InkError) in
      switch name {
      case "color" where reader.peek() == UInt8(ascii: "\""): color = try reader.string()
      case "x", "y", "time", "t", "pressure", "p": fields.set(name, try reader.number())
      default: try reader.skip()
      }
    }
    guard fields.isPlace else {
      throw InkError(path: path, finding: "has no x or no y", requirement: "a point has both")
    }
    try collector.add(fields.value)
    return color
  }

  private static func read(
    _ name: String, _ pen: inout Pen, _ reader: inout JSONReader, _ stroke: Int
  ) throws(InkError) {
    switch name {
    case "penColor", "color":
      pen.color = reader.peek() == UInt8(ascii: "\"") ? try reader.string() : nil
      if pen.color == nil { try reader.skip() }
    case "dotSize": pen.dotRadius = try reader.number()
    case "minWidth": pen.minimumRadius = try reader.number()
    case "maxWidth": pen.maximumRadius = try reader.number()
    case "velocityFilterWeight": pen.velocityFilterWeight = try reader.number()
    // Written by `signaturePadJSON` for strokes that no pad has filtered.
    case "filtered":
      pen.isFiltered = reader.peek() != UInt8(ascii: "f")
      try reader.skip()
    case "compositeOperation":
      let operation = try reader.string()
      pen.erases = operation == "destination-out"
      guard pen.erases || operation == "source-over" else {
        throw InkError(
          path: "strokes[\(stroke)].compositeOperation", finding: "is \(excerpt(operation))",
          requirement: "a stroke is ink ('source-over') or erases ('destination-out')")
      }
    default: try reader.skip()
    }
  }

  private static func noPoints(_ stroke: Int) -> InkError {
    InkError(path: "strokes[\(stroke)]", finding: "has no points", requirement: "a stroke has a list of points")
  }

  private static func freehand(_ numbers: [Double], _ index: Int) -> StrokePoint {
    StrokePoint(
      x: numbers[0], y: numbers[1], time: numbers.count > 3 ? numbers[3] : Double(index) * pace,
      pressure: numbers.count > 2 ? numbers[2] : nil)
  }

  /// The fields of a point that were present.
  private struct PointFields {
    private var x: Double?
    private var y: Double?
    private var time: Double
    private var pressure: Double?

    init(index: Int) {
      time = Double(index) * JSONStrokes.pace
    }

    var isPlace: Bool { x != nil && y != nil }

    mutating func set(_ name: String, _ value: Double) {
      switch name {
      case "x": x = value
      case "y": y = value
      case "time", "t": time = value
      default: pressure = value.isNaN ? nil : value
      }
    }

    var value: StrokePoint {
      StrokePoint(x: x ?? .nan, y: y ?? .nan, time: time, pressure: pressure)
    }
  }
}
