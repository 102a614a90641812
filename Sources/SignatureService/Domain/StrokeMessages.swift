package import Ink
package import Refusals
package import SignatureContract

/// Converts strokes between messages, which have a list for each coordinate, and Ink, which has points.
extension CapturedPiece {
  package init(_ piece: StrokePiece, at path: String) throws(Refusal) {
    beginsStroke = piece.beginsStroke
    let lists = PointLists(
      x: piece.x, y: piece.y, time: piece.timeMs, pressure: piece.pressure, altitude: piece.altitude,
      azimuth: piece.azimuth)
    points = try lists.points(at: path, timeIsRequired: true)
    pen = piece.pen.map { Pen($0) }
    guard !points.isEmpty else {
      throw FieldChecks.refusal(path, "has no points", "a piece has at least one", rule: "missing")
    }
  }
}

extension StrokePiece {
  package init(_ piece: CapturedPiece) {
    let lists = PointLists(piece.points)
    self.init(
      beginsStroke: piece.beginsStroke, x: lists.x, y: lists.y, timeMs: lists.time, pressure: lists.pressure,
      altitude: lists.altitude, azimuth: lists.azimuth, pen: piece.pen.map { InkPen($0) })
  }
}

extension InkDrawing {
  package init(_ ink: Ink) {
    self.init(
      strokes: ink.strokes.map { stroke in
        let lists = PointLists(stroke.points)
        return InkStroke(
          x: lists.x, y: lists.y, timeMs: lists.time, pressure: lists.pressure, altitude: lists.altitude,
          azimuth: lists.azimuth, pen: stroke.pen == .standard ? nil : InkPen(stroke.pen))
      },
      canvas: ink.canvas.map { canvas in
        InkCanvas(width: canvas.width, height: canvas.height, devicePixelRatio: canvas.devicePixelRatio)
      },
      device: ink.device, inscription: InkInscription(ink.inscription))
  }
}

extension Ink {
  package init(_ drawing: InkDrawing) throws {
    var strokes: [Stroke] = []
    strokes.reserveCapacity(drawing.strokes.count)
    for (index, stroke) in drawing.strokes.enumerated() {
      let lists = PointLists(
        x: stroke.x, y: stroke.y, time: stroke.timeMs, pressure: stroke.pressure, altitude: stroke.altitude,
        azimuth: stroke.azimuth)
      let points = try lists.points(at: "drawing.strokes[\(index)]", timeIsRequired: false)
      strokes.append(Stroke(points: points, pen: stroke.pen.map { Pen($0) } ?? .standard))
    }
    try self.init(
      validating: strokes, canvas: drawing.canvas.map { Canvas($0) }, device: drawing.device,
      inscription: Inscription(drawing.inscription))
  }
}

extension Canvas {
  package init(_ canvas: InkCanvas) {
    self.init(
      width: canvas.width, height: canvas.height,
      devicePixelRatio: canvas.devicePixelRatio == 0 ? 1 : canvas.devicePixelRatio)
  }
}

extension Pen {
  fileprivate init(_ pen: InkPen) {
    func told(_ value: Double) -> Double? { value == 0 ? nil : value }
    self.init(
      color: pen.color.isEmpty ? nil : pen.color, minimumRadius: told(pen.minimumRadius),
      maximumRadius: told(pen.maximumRadius), dotRadius: told(pen.dotRadius),
      velocityFilterWeight: told(pen.velocityFilterWeight), isFiltered: pen.filtered, erases: pen.erases)
  }
}

extension InkPen {
  fileprivate init(_ pen: Pen) {
    self.init(
      color: pen.color ?? "", minimumRadius: pen.minimumRadius ?? 0, maximumRadius: pen.maximumRadius ?? 0,
      dotRadius: pen.dotRadius ?? 0, velocityFilterWeight: pen.velocityFilterWeight ?? 0, filtered: pen.isFiltered,
      erases: pen.erases)
  }
}

/// The lists of a message: each has one value for every point, or none at all.
private struct PointLists {
  var x: [Double]
  var y: [Double]
  var time: [Double]
  var pressure: [Double]
  var altitude: [Double]
  var azimuth: [Double]

  init(
    x: [Double], y: [Double], time: [Double], pressure: [Double], altitude: [Double], azimuth: [Double]
  ) {
    self.x = x
    self.y = y
    self.time = time
    self.pressure = pressure
    self.altitude = altitude
    self.azimuth = azimuth
  }

  /// A channel that some points lack is left out as a whole, since a list cannot leave out single values.
  init(_ points: [StrokePoint]) {
    self.init(
      x: points.map(\.x), y: points.map(\.y), time: points.map(\.time),
      pressure: Self.all(points, \.pressure), altitude: Self.all(points, \.altitude),
      azimuth: Self.all(points, \.azimuth))
  }

  private static func all(_ points: [StrokePoint], _ channel: KeyPath<StrokePoint, Double?>) -> [Double] {
    let values = points.compactMap { $0[keyPath: channel] }
    return values.count == points.count ? values : []
  }

  func points(at path: String, timeIsRequired: Bool) throws(Refusal) -> [StrokePoint] {
    let count = x.count
    try check(y, "y", path, mayBeAbsent: false)
    try check(time, "time_ms", path, mayBeAbsent: !timeIsRequired)
    try check(pressure, "pressure", path, mayBeAbsent: true)
    try check(altitude, "altitude", path, mayBeAbsent: true)
    try check(azimuth, "azimuth", path, mayBeAbsent: true)
    return (0..<count).map { index in
      StrokePoint(
        x: x[index], y: y[index], time: time.isEmpty ? Double(index) * Self.usualStep : time[index],
        pressure: pressure.isEmpty ? nil : pressure[index], altitude: altitude.isEmpty ? nil : altitude[index],
        azimuth: azimuth.isEmpty ? nil : azimuth[index])
    }
  }

  /// Milliseconds between the points of a drawing without times.
  private static let usualStep = 10.0

  private func check(_ list: [Double], _ name: String, _ path: String, mayBeAbsent: Bool) throws(Refusal) {
    guard list.count != x.count, !(mayBeAbsent && list.isEmpty) else { return }
    throw FieldChecks.refusal(
      "\(path).\(name)", "has \(list.count) values for \(x.count) points", "every list has one value per point",
      rule: "lists_differ")
  }
}
