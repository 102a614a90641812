/// Strokes as InkML, W3C's format for digital ink: traces in contexts, each with a format of channels.
///
/// It reads X, Y, T, F (force), OA and OE (azimuth and elevation), their units and resolutions; brushes with their
/// width, contexts, affine transforms to a canvas, time stamps and offsets. Traces of a pen in the air are left out.
struct InkMLReader {
  private typealias Format = [InkMLChannel]

  /// A source of ink: how its numbers are to be read, as far as it states that.
  private struct Source {
    var format: Format?
    var pace = 10.0
  }

  private struct Context {
    var format: Format = [InkMLChannel("X"), InkMLChannel("Y")]
    var start = 0.0
    var pen = Pen.standard
    var pace = 10.0
    var transform: InkMLTransform?
    var canvasUnit = SIMD2(1.0, 1.0)
  }

  private(set) var device = ""
  private(set) var canvas: Canvas?
  private var collector = StrokeCollector()
  private var formats: [String: Format] = [:]
  private var sources: [String: Source] = [:]
  private var openSource: (name: String?, source: Source)?
  private var contexts: [String: Context] = [:]
  private var timestamps: [String: Double] = [:]
  private var pens: [String: Pen] = [:]
  private var current = Context()
  private var names: [String] = []
  private var openFormat: Format?
  private var openFormatName: String?
  private var openContext: (name: String?, before: Context)?
  private var openPen: (name: String, pen: Pen)?
  private var transforms: [String: InkMLTransform] = [:]
  private var openTransform: (name: String?, mappings: [InkMLTransform])?
  private var canvasUnits: [String: SIMD2<Double>] = [:]
  private var openCanvas: (name: String?, format: Format)?
  private var matrix: [UInt8]?
  private var trace: (attributes: [String: String], text: [UInt8])?
  private var elements = 0

  var strokes: [Stroke] { collector.strokes }

  static func read(_ bytes: [UInt8]) throws(InkError) -> InkMLReader {
    var reader = InkMLReader()
    var isInk = false
    try XMLParser.parse(bytes) { (event) throws(InkError) in
      switch event {
      case .start(let name, let attributes):
        if !isInk, name != "ink" {
          throw InkError(path: "InkML", finding: "starts with \(excerpt(name))", requirement: "its root is 'ink'")
        }
        isInk = true
        try reader.start(name, attributes)
      case .text(let bytes):
        reader.trace?.text += bytes
        try reader.addToMatrix(bytes)
      case .end(let name): try reader.end(name)
      }
    }
    return reader
  }

  /// Expat passes on a text line by line.
  private mutating func addToMatrix(_ bytes: [UInt8]) throws(InkError) {
    guard let read = matrix?.count else { return }
    guard read + bytes.count <= InkMLTransform.mostBytes else {
      throw InkError(
        path: "canvasTransform.affine", finding: "has more than \(InkMLTransform.mostBytes) bytes",
        requirement: "six numbers need no more")
    }
    matrix?.append(contentsOf: bytes)
  }

  private mutating func start(_ name: String, _ attributes: [String: String]) throws(InkError) {
    // Bounded, since elements without points take time as well.
    guard elements < InkLimits.points else {
      throw InkError(
        path: "InkML", finding: "has more than \(InkLimits.points) elements",
        requirement: "a signature has at most so many points, and needs fewer elements")
    }
    elements += 1
    switch name {
    case "traceFormat":
      openFormat = []
      openFormatName = attributes["id"]
    case "channel":
      // Bounded, since each point has a value for each channel.
      guard openFormat?.count ?? 0 < InkLimits.channels else {
        throw InkError(
          path: "traceFormat", finding: "has more than \(InkLimits.channels) channels",
          requirement: "a trace has at most \(InkLimits.channels)")
      }
      openFormat?.append(InkMLChannel(attributes))
    case "channelProperty": resolve(attributes)
    case "inkSource":
      openSource = (attributes["id"], Source())
      device = [attributes["manufacturer"], attributes["model"]].compactMap { $0 }.joined(separator: " ")
    case "sampleRate":
      guard let rate = attributes["value"].flatMap({ Double($0) }), rate > 0 else { return }
      current.pace = 1000 / rate
      openSource?.source.pace = current.pace
    case "timestamp": timestamps[attributes["id"] ?? ""] = attributes["time"].flatMap { Double($0) }
    case "brush": openPen = (attributes["id"] ?? "", .standard)
    case "brushProperty": try setPen(attributes)
    case "canvasTransform": openTransform = (attributes["id"], [])
    case "mapping" where openTransform != nil: try InkMLTransform.check(attributes)
    case "affine" where openTransform != nil: matrix = []
    case "canvas": openCanvas = (attributes["id"], [])
    case "context":
      openContext = (attributes["id"], current)
      current = try context(attributes)
    case "traceGroup" where attributes["contextRef"] != nil: current = try context(attributes)
    case "trace": trace = (attributes, [])
    default: break
    }
  }

  private mutating func end(_ name: String) throws(InkError) {
    switch name {
    case "traceFormat":
      guard let format = openFormat else { return }
      guard openCanvas == nil else {
        openCanvas?.format = format
        openFormat = nil
        return
      }
      if let openFormatName { formats[openFormatName] = format }
      current.format = format
      openSource?.source.format = format
      openFormat = nil
      noteCanvas(format)
    case "inkSource":
      guard let open = openSource else { return }
      openSource = nil
      guard let name = open.name else { return }
      sources[name] = open.source
    case "brush":
      guard let brush = openPen else { return }
      pens[brush.name] = brush.pen
      if openContext != nil { current.pen = brush.pen }
      openPen = nil
    case "affine":
      guard let text = matrix else { return }
      matrix = nil
      openTransform?.mappings.append(try InkMLTransform(text))
    case "canvasTransform":
      guard let open = openTransform else { return }
      openTransform = nil
      // A second mapping is the first one's inverse. None at all is the identity.
      let transform = open.mappings.first ?? .identity
      if let name = open.name { transforms[name] = transform }
      if openContext != nil || open.name == nil { current.transform = transform }
    case "canvas":
      guard let open = openCanvas else { return }
      openCanvas = nil
      noteCanvas(open.format)
      let unit = { (name: String) in open.format.first { $0.name == name }?.factor ?? 1 }
      let units = SIMD2(unit("X"), unit("Y"))
      if let name = open.name { canvasUnits[name] = units }
      if openContext != nil || open.name == nil { current.canvasUnit = units }
    case "context":
      guard let context = openContext else { return }
      // A context with a name applies where it is referred to; one without a name applies from here on.
      if let name = context.name {
        contexts[name] = current
        current = context.before
      }
      openContext = nil
    case "trace":
      guard let read = trace else { return }
      trace = nil
      try add(read.attributes, read.text)
    default: break
    }
  }

  /// The context that the attributes refer to, with their changes to it.
  private func context(_ attributes: [String: String]) throws(InkError) -> Context {
    var context = current
    if let name = attributes["contextRef"].map(Self.target) {
      if let named = contexts[name] {
        context = named
      } else if name != "DefaultContext" {
        throw Self.unknown("context", name)
      }
    }
    if let name = attributes["inkSourceRef"].map(Self.target) {
      guard let source = sources[name] else { throw Self.unknown("inkSource", name) }
      context.pace = source.pace
      if let format = source.format { context.format = format }
    }
    if let name = attributes["traceFormatRef"].map(Self.target) {
      guard let format = formats[name] else { throw Self.unknown("traceFormat", name) }
      context.format = format
    }
    if let name = attributes["timestampRef"].map(Self.target) {
      guard let start = timestamps[name] else { throw Self.unknown("timestamp", name) }
      context.start = start
    }
    if let name = attributes["canvasTransformRef"].map(Self.target) {
      guard let transform = transforms[name] else { throw Self.unknown("canvasTransform", name) }
      context.transform = transform
    }
    if let name = attributes["canvasRef"].map(Self.target), name != "DefaultCanvas" {
      guard let units = canvasUnits[name] else { throw Self.unknown("canvas", name) }
      context.canvasUnit = units
    }
    if let name = attributes["brushRef"].map(Self.target) {
      guard let pen = pens[name] else { throw Self.unknown("brush", name) }
      context.pen = pen
    }
    return context
  }

  private mutating func add(_ attributes: [String: String], _ text: [UInt8]) throws(InkError) {
    guard attributes["type"] != "penUp" else { return }
    let context = try context(attributes)
    let continues = ["middle", "end"].contains(attributes["continuation"]) && !collector.strokes.isEmpty
    if !continues { try collector.begin(context.pen) }
    let index = collector.strokes.count - 1
    let start = context.start + (attributes["timeOffset"].flatMap { Double($0) } ?? 0)
    var count = continues ? collector.strokes[index].points.count : 0
    var trace = InkMLTrace(text, channels: context.format.count, path: "trace \(index)")
    try trace.forEachPoint { (values) throws(InkError) in
      let fallback = start + Double(count) * context.pace
      let point = Self.point(values, context, start, fallback)
      guard let point else {
        throw InkError(
          path: "strokes[\(index)].points[\(count)]", finding: "has no X or no Y", requirement: "a point has both")
      }
      try collector.add(point)
      count += 1
    }
  }

  private static func point(
    _ values: [Double?], _ context: Context, _ start: Double, _ fallbackTime: Double
  ) -> StrokePoint? {
    var point = StrokePoint(x: .nan, y: .nan, time: fallbackTime)
    var hasX = false, hasY = false
    for (value, channel) in zip(values, context.format) {
      guard let value else { continue }
      let scaled = value * channel.factor
      switch channel.name {
      // A transform takes the numbers as the source counts them, and gives the canvas's.
      case "X": (point.x, hasX) = (context.transform == nil ? scaled : value, true)
      case "Y": (point.y, hasY) = (context.transform == nil ? scaled : value, true)
      case "T": point.time = start + scaled
      case "F": point.pressure = channel.maximum.map { $0 > 0 ? value / $0 : value } ?? value
      case "OA": point.azimuth = scaled
      case "OE": point.altitude = scaled
      default: break
      }
    }
    if let transform = context.transform {
      let place = transform.apply(SIMD2(point.x, point.y)) * context.canvasUnit
      (point.x, point.y) = (place.x, place.y)
    }
    return hasX && hasY ? point : nil
  }

  private mutating func resolve(_ attributes: [String: String]) {
    guard attributes["name"] == "resolution", let count = attributes["value"].flatMap({ Double($0) }) else { return }
    for index in current.format.indices where current.format[index].name == attributes["channel"] {
      current.format[index].set(resolution: count, units: attributes["units"] ?? "")
    }
    // Channel properties come after the format of the same source.
    if openSource?.source.format != nil { openSource?.source.format = current.format }
  }

  private mutating func setPen(_ attributes: [String: String]) throws(InkError) {
    let value = attributes["value"] ?? ""
    switch attributes["name"] {
    case "width", "height":
      // Width and height of the tip must agree, since pens here are round.
      let radius = Double(value).map { $0 * InkMLChannel.pixels(of: attributes["units"] ?? "") / 2 }
      if let before = openPen?.pen.maximumRadius, let radius, abs(before - radius) > 0.01 * before {
        throw InkError(
          path: "brush.\(attributes["name"] ?? "")", finding: "is not the tip's other side",
          requirement: "a pen is round: its width and height are equal")
      }
      openPen?.pen.minimumRadius = radius
      openPen?.pen.maximumRadius = radius
      openPen?.pen.dotRadius = radius
    case "color": openPen?.pen.color = value
    case "minimumRadius": openPen?.pen.minimumRadius = Double(value)
    case "maximumRadius": openPen?.pen.maximumRadius = Double(value)
    case "dotRadius": openPen?.pen.dotRadius = Double(value)
    case "velocityFilterWeight": openPen?.pen.velocityFilterWeight = Double(value)
    case "filtered": openPen?.pen.isFiltered = value == "true"
    case "erases": openPen?.pen.erases = value == "true"
    default: break
    }
  }

  /// Channels that reach from 0 to a maximum state the size of the surface.
  private mutating func noteCanvas(_ format: Format) {
    func size(_ name: String) -> Double? {
      guard let channel = format.first(where: { $0.name == name }), channel.minimum == 0, let most = channel.maximum
      else { return nil }
      return most * channel.factor
    }
    if canvas == nil, let width = size("X"), let height = size("Y") { canvas = Canvas(width: width, height: height) }
  }

  private static func target(_ reference: String) -> String {
    String(reference.drop { $0 == "#" })
  }

  private static func unknown(_ kind: String, _ name: String) -> InkError {
    InkError(
      path: "\(kind)Ref", finding: "is \(excerpt(name))",
      requirement: "it must name \(kind == "inkSource" ? "an" : "a") \(kind) that stands before it")
  }
}
