/// A captured signature that has been validated: within the limits, on the grid, and not empty.
///
/// Points stay as captured, except that they are rounded to a grid that is finer than any digitiser: 1/1000 pixel, a
/// microsecond, 1/10,000 of full pressure, 1/100 degree. On the grid a signature has one binary form, and so one hash.
public struct Ink: Hashable, Sendable {
  public let strokes: [Stroke]
  /// The surface that was drawn on, if the capture stated it.
  public let canvas: Canvas?
  /// The device that it was drawn with, in the words of the capture; empty if it did not say.
  public let device: String
  /// Words below the ink. They require a canvas.
  public let inscription: Inscription

  /// Validates `strokes` and rounds them to the grid. Strokes without points are dropped.
  public init(
    validating strokes: [Stroke], canvas: Canvas? = nil, device: String = "", inscription: Inscription = .none
  ) throws(InkError) {
    try Self.check(strokes.count, "strokes", atMost: InkLimits.strokes, "strokes", of: "a signature")
    let total = strokes.reduce(0) { $0 + $1.points.count }
    guard total > 0 else {
      throw InkError(path: "strokes", finding: "hold no point", requirement: "a signature has at least one point")
    }
    var sound: [Stroke] = []
    sound.reserveCapacity(strokes.count)
    for (index, stroke) in strokes.enumerated() {
      let path = FieldPath("strokes", index)
      try Self.check(
        stroke.points.count, "\(path).points", atMost: InkLimits.pointsPerStroke, "points", of: "a stroke")
      guard !stroke.points.isEmpty else { continue }
      sound.append(try stroke.validated(at: path))
    }
    try Self.check(total, "strokes", atMost: InkLimits.points, "points", of: "a signature")
    guard !sound.allSatisfy(\.pen.erases) else {
      throw InkError(path: "strokes", finding: "only erase", requirement: "a signature has at least one stroke of ink")
    }
    self.strokes = sound
    self.canvas = try canvas?.validated()
    self.device = try validatedText(device, "device")
    self.inscription = try inscription.validated()
    guard canvas != nil || inscription == .none else {
      throw InkError(path: "canvas", finding: "is missing", requirement: "words stand below a canvas")
    }
  }

  public var pointCount: Int { strokes.reduce(0) { $0 + $1.points.count } }

  private static func check(
    _ count: Int, _ path: String, atMost bound: Int, _ things: String, of whole: String
  ) throws(InkError) {
    guard count > bound else { return }
    throw InkError(
      path: path, finding: "has \(count) \(things)", requirement: "\(whole) has at most \(bound) \(things)")
  }
}

/// The name of an element of a list, composed only when an error needs it.
struct FieldPath: CustomStringConvertible {
  private let list: String
  private let index: Int

  init(_ list: String, _ index: Int) {
    self.list = list
    self.index = index
  }

  var description: String { "\(list)[\(index)]" }
}
