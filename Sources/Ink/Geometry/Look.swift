/// How captured points become ink. A look never changes: an improvement is a new look with a new version, because the
/// picture that a signer saw must be reproducible.
public enum Look: String, CaseIterable, Sendable {
  /// What the signer saw on the usual web pad: the geometry of signature_pad 5, and the ends of lines that it leaves
  /// out.
  case pad1 = "pad-1"
  /// Modelled ink: smoothed like the tip of a pen that is dragged along, with the pressure of a sensor or one derived
  /// from speed.
  case ink1 = "ink-1"
}

/// One stroke as a line of ink, relative to the signature's origin.
package struct Line {
  package var spans: [Span]
  /// Whether it removes ink instead of adding some.
  var erases = false
}

/// All lines of a signature, and the point of the canvas that they are relative to.
///
/// Single precision has 24 bits. Near the origin that is a hundred-thousandth of a pixel; 100,000 pixels away it is a
/// hundredth. So everything is computed relative to a corner of the signature, and moving one does not change its ink.
package struct Drawing {
  package let originX: Double
  package let originY: Double
  package private(set) var lines: [Line]

  package init(_ ink: Ink, look: Look, penWidth: Double?, _ work: inout DrawingWork) throws(InkError) {
    var left = Double.infinity, top = Double.infinity
    for stroke in ink.strokes {
      for point in stroke.points {
        left = min(left, point.x)
        top = min(top, point.y)
      }
    }
    originX = left.rounded(.down)
    originY = top.rounded(.down)
    lines = []
    for stroke in ink.strokes {
      try work.spend(stroke.points.count * 16)
      // An overriding width applies to ink only: what was erased is not up to the picture's options.
      let nib = Nib(stroke.pen, width: stroke.pen.erases ? nil : penWidth)
      let samples = stroke.points.map { Sample($0, originX: originX, originY: originY, since: stroke.points[0].time) }
      var line: Line
      switch look {
      case .pad1: line = PadLook(nib: nib, isFiltered: stroke.pen.isFiltered).line(through: samples)
      case .ink1: line = try ModelledLook(nib: nib).line(through: samples, &work)
      }
      line.erases = stroke.pen.erases
      lines.append(line)
    }
  }

  /// The rectangle that the ink reaches into, to within a quarter of a pixel.
  func bounds(_ work: inout DrawingWork) throws(InkError) -> Box {
    var box: Box?
    for line in lines where !line.erases {
      for span in line.spans {
        let pieces = span.pieces(tolerance: 0.25)
        try work.spend(pieces * 4)
        for piece in 0...pieces {
          let here = Box(span.point(at: Float(piece) / Float(pieces)))
          box = box?.union(here) ?? here
        }
      }
    }
    return box ?? Box(Node(0, 0, radius: 0))
  }
}

/// A captured point in the form that looks compute with: single precision, near the origin, milliseconds since pen
/// down.
package struct Sample {
  let x: Float
  let y: Float
  let time: Float
  let pressure: Float?

  package init(_ point: StrokePoint, originX: Double, originY: Double, since start: Double) {
    x = Float(point.x - originX)
    y = Float(point.y - originY)
    time = Float(point.time - start)
    pressure = point.pressure.map { Float($0) }
  }

  func distance(to other: Sample) -> Float {
    let dx = x - other.x, dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// The radii a stroke is drawn with.
struct Nib {
  let minimumRadius: Float
  let maximumRadius: Float
  let dotRadius: Float
  let velocityFilterWeight: Float

  /// - Parameter width: overrides the stroke's own pen. A pad with default settings has width 3: radii from 0.5 to 2.5.
  init(_ pen: Pen, width: Double?) {
    let lower = width.map { $0 / 6 } ?? pen.minimumRadius ?? 0.5
    let upper = width.map { $0 * 5 / 6 } ?? pen.maximumRadius ?? 2.5
    minimumRadius = Float(min(lower, upper))
    maximumRadius = Float(max(lower, upper))
    let mean = (minimumRadius + maximumRadius) / 2
    // A dot size of zero means that none is given, as in the pad.
    let dot = width == nil ? pen.dotRadius.map { Float($0) } ?? 0 : 0
    dotRadius = dot > 0 ? dot : mean
    velocityFilterWeight = Float(pen.velocityFilterWeight ?? 0.7)
  }

  /// The diameter of ink drawn at an even, medium speed.
  var width: Float { minimumRadius + maximumRadius }
}
