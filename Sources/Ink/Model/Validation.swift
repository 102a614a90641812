/// The smallest steps of ink. docs/ink.md says why they lose nothing that a device can measure.
enum Grid {
  static let coordinate = 1000.0
  static let time = 1000.0
  static let pressure = 10_000.0
  static let angle = 100.0

  /// The multiple of 1/steps nearest to `value`; never a negative zero.
  static func snap(_ value: Double, _ steps: Double) -> Double {
    (value * steps).rounded() / steps + 0
  }
}

/// A range for a number, and the text of the error for numbers outside.
private struct Bound {
  let range: ClosedRange<Double>
  let steps: Double
  let requirement: String

  static let coordinate = Bound(
    range: -InkLimits.coordinate...InkLimits.coordinate, steps: Grid.coordinate,
    requirement: "coordinates must be finite numbers between -100000 and 100000")
  static let time = Bound(
    range: -InkLimits.time...InkLimits.time, steps: Grid.time,
    requirement: "times must be finite numbers of milliseconds between -9000000000000 and 9000000000000")
  static let pressure = Bound(
    range: 0...1, steps: Grid.pressure, requirement: "pressure must be a number between 0 and 1")
  static let altitude = Bound(
    range: 0...90, steps: Grid.angle, requirement: "altitude must be a number of degrees between 0 and 90")
  static let azimuth = Bound(
    range: 0...360, steps: Grid.angle, requirement: "azimuth must be a number of degrees between 0 and 360")
  static let radius = Bound(
    range: 0...InkLimits.radius, steps: Grid.coordinate,
    requirement: "a pen's radius must be a number of pixels between 0 and 100")
  static let weight = Bound(
    range: 0...1, steps: Grid.pressure, requirement: "a velocity filter's weight must be a number between 0 and 1")
  static let side = Bound(
    range: 1...InkLimits.coordinate, steps: Grid.coordinate,
    requirement: "a canvas's side must be a number of pixels between 1 and 100000")
  static let ratio = Bound(
    range: 0.1...16, steps: Grid.coordinate,
    requirement: "a device pixel ratio must be a number between 0.1 and 16")

  func snapped(_ value: Double, _ path: @autoclosure () -> String) throws(InkError) -> Double {
    // A NaN is in no range, so it needs no test of its own.
    guard range.contains(value) else {
      throw InkError(path: path(), finding: "is \(spelled(value))", requirement: requirement)
    }
    return Grid.snap(value, steps)
  }

  func snappedIfThere(_ value: Double?, _ path: @autoclosure () -> String) throws(InkError) -> Double? {
    guard let value else { return nil }
    return try snapped(value, path())
  }

  private func spelled(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return "\(value)"
  }
}

extension Stroke {
  func validated(at path: FieldPath) throws(InkError) -> Stroke {
    var sound: [StrokePoint] = []
    sound.reserveCapacity(points.count)
    for (index, point) in points.enumerated() {
      let place = { "\(path).points[\(index)]" }
      let next = StrokePoint(
        x: try Bound.coordinate.snapped(point.x, "\(place()).x"),
        y: try Bound.coordinate.snapped(point.y, "\(place()).y"),
        time: try Bound.time.snapped(point.time, "\(place()).time"),
        pressure: try Bound.pressure.snappedIfThere(point.pressure, "\(place()).pressure"),
        altitude: try Bound.altitude.snappedIfThere(point.altitude, "\(place()).altitude"),
        azimuth: try Bound.azimuth.snappedIfThere(point.azimuth, "\(place()).azimuth"))
      if let last = sound.last, last.time - next.time > InkLimits.backwardMilliseconds {
        throw InkError(
          path: "\(place()).time", finding: "is \(last.time - next.time) ms before the preceding point",
          requirement: "within a stroke time may step back by at most 1000 ms")
      }
      sound.append(next)
    }
    return Stroke(points: sound, pen: try pen.validated(at: path))
  }
}

extension Pen {
  fileprivate func validated(at path: FieldPath) throws(InkError) -> Pen {
    Pen(
      color: try color.map { (text) throws(InkError) in try validatedText(text, "\(path).pen.color") },
      minimumRadius: try Bound.radius.snappedIfThere(minimumRadius, "\(path).pen.minimumRadius"),
      maximumRadius: try Bound.radius.snappedIfThere(maximumRadius, "\(path).pen.maximumRadius"),
      dotRadius: try Bound.radius.snappedIfThere(dotRadius, "\(path).pen.dotRadius"),
      velocityFilterWeight: try Bound.weight.snappedIfThere(velocityFilterWeight, "\(path).pen.velocityFilterWeight"),
      isFiltered: isFiltered, erases: erases)
  }
}

extension Canvas {
  func validated() throws(InkError) -> Canvas {
    Canvas(
      width: try Bound.side.snapped(width, "canvas.width"),
      height: try Bound.side.snapped(height, "canvas.height"),
      devicePixelRatio: try Bound.ratio.snapped(devicePixelRatio, "canvas.devicePixelRatio"))
  }
}

func validatedText(_ text: String, _ path: String) throws(InkError) -> String {
  guard text.utf8.count <= InkLimits.textBytes else {
    throw InkError(
      path: path, finding: "has \(text.utf8.count) bytes",
      requirement: "a text beside strokes has at most \(InkLimits.textBytes) bytes")
  }
  return text
}
