import Base
import Ink

let renderer = Renderer()

/// Options that differ from the usual ones.
func options(_ change: (inout RenderOptions) -> Void) -> RenderOptions {
  var options = RenderOptions()
  change(&options)
  return options
}

extension Drawing {
  /// With the usual budget.
  init(_ ink: Ink, look: Look, penWidth: Double?) throws(InkError) {
    var work = DrawingWork()
    try self.init(ink, look: look, penWidth: penWidth, &work)
  }
}

/// Points from bare coordinates, 16 ms apart.
func stroke(_ places: [(x: Double, y: Double)]) -> Stroke {
  Stroke(points: places.enumerated().map { StrokePoint(x: $1.x, y: $1.y, time: Double($0) * 16) })
}

extension SeededGenerator {
  mutating func double(in range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  /// A signature of any shape that is allowed.
  mutating func ink(strokes: Int = 6, points: Int = 40) throws -> Ink {
    let drawn = (0..<Int.random(in: 1...strokes, using: &self)).map { _ in anyStroke(points) }
    let canvas = Bool.random(using: &self) ? Canvas(width: double(in: 1...900), height: double(in: 1...900)) : nil
    return try Ink(validating: drawn, canvas: canvas, device: Bool.random(using: &self) ? "pen é" : "")
  }

  private mutating func anyStroke(_ most: Int) -> Stroke {
    let hasPressure = Bool.random(using: &self), hasTilt = Bool.random(using: &self)
    var time = double(in: -1e6...1e12)
    let points = (0..<Int.random(in: 1...most, using: &self)).map { _ in
      time += double(in: -20...40)
      return StrokePoint(
        x: double(in: -50...700), y: double(in: -50...300), time: time,
        pressure: hasPressure && Int.random(in: 0...9, using: &self) > 0 ? double(in: 0...1) : nil,
        altitude: hasTilt ? double(in: 0...90) : nil, azimuth: hasTilt ? double(in: 0...360) : nil)
    }
    var pen =
      Bool.random(using: &self)
      ? Pen.standard : Pen(color: "rgb(0, 0, 96)", minimumRadius: 0.5, maximumRadius: double(in: 0.6...6), dotRadius: 0)
    pen.isFiltered = Bool.random(using: &self)
    return Stroke(points: points, pen: pen)
  }
}
