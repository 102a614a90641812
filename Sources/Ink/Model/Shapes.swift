internal import Base

/// A signature that was uploaded as an image: the outlines of its ink on a canvas, on a grid of 1/16 pixel. Ink
/// lies to the right of each outline, seen with y down, so that holes wind the other way.
public struct Shapes: Hashable, Sendable {
  public typealias Corner = SIMD2<Int32>

  /// Steps of the grid in a pixel.
  public static let steps = 16

  public let contours: [[Corner]]
  /// In pixels.
  public let width: Int
  public let height: Int
  public let inscription: Inscription

  public init(
    validating contours: [[Corner]], width: Int, height: Int, inscription: Inscription = .none
  ) throws(InkError) {
    for (side, name) in [(width, "width"), (height, "height")] {
      try RenderOptions.checkPixels(side, "shapes.\(name)")
    }
    guard !contours.isEmpty else {
      throw InkError(path: "shapes", finding: "have no outline", requirement: "a signature has ink")
    }
    let corners = contours.reduce(0) { $0 + $1.count }
    guard contours.count <= InkLimits.contours, corners <= InkLimits.corners else {
      throw InkError(
        path: "shapes", finding: "have \(contours.count) outlines with \(corners) corners",
        requirement: "a signature has at most \(InkLimits.contours) with \(InkLimits.corners)")
    }
    let (right, bottom) = (Int32(width * Self.steps), Int32(height * Self.steps))
    for (index, contour) in contours.enumerated() {
      guard contour.count >= 3,
        contour.allSatisfy({ (0...right).contains($0.x) && (0...bottom).contains($0.y) })
      else {
        throw InkError(
          path: "shapes.contours[\(index)]", finding: "is no outline on the canvas",
          requirement: "an outline has three corners or more, all on the canvas")
      }
    }
    (self.contours, self.width, self.height) = (contours, width, height)
    self.inscription = try inscription.validated()
  }

  public var canvas: Canvas { Canvas(width: Double(width), height: Double(height)) }

  /// The same shapes with other words below them.
  public func inscribed(_ inscription: Inscription) throws(InkError) -> Shapes {
    try Shapes(validating: contours, width: width, height: height, inscription: inscription)
  }

  /// The shapes as closed curves, to be filled.
  public var letters: Letters {
    let scale = 1 / Float(Self.steps)
    return Letters(
      contours: contours.map { corners in
        let places = corners.map { SIMD2(Float($0.x), Float($0.y)) * scale }
        var contour = Letters.Contour(start: places[0])
        contour.edges = places.dropFirst().map { .line($0) }
        return contour
      }, canvas: canvas, hash: Digest(of: bytes))
  }
}

extension Shapes {
  static let magic = Array("SHP\u{1}".utf8)

  /// Whether bytes begin like stored shapes.
  public static func isStored(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// The only form in which they are stored; see docs/ink.md.
  public var bytes: [UInt8] {
    var writer = BlobWriter(Self.magic)
    writer.unsigned(width)
    writer.unsigned(height)
    writer.write(inscription)
    writer.unsigned(contours.count)
    for contour in contours {
      writer.unsigned(contour.count)
      var last = Corner.zero
      for corner in contour {
        writer.signed(Int(corner.x) - Int(last.x))
        writer.signed(Int(corner.y) - Int(last.y))
        last = corner
      }
    }
    return writer.bytes
  }

  /// Reads the stored form. Refuses bytes other than those that `bytes` would give.
  public static func read(_ stored: [UInt8]) throws(InkError) -> Shapes {
    var reader = BlobReader(stored)
    try reader.skip(magic)
    let width = try reader.unsigned(), height = try reader.unsigned()
    let inscription = try reader.inscription()
    var contours: [[Corner]] = []
    var corners = 0
    for _ in 0..<(try reader.count(of: "outlines", atMost: InkLimits.contours)) {
      let count = try reader.count(of: "corners", atMost: InkLimits.corners)
      corners += count
      guard corners <= InkLimits.corners else { break }
      var x = 0, y = 0
      var contour: [Corner] = []
      for _ in 0..<count {
        x = try reader.sum(x, try reader.signed())
        y = try reader.sum(y, try reader.signed())
        contour.append(Corner(Int32(clamping: x), Int32(clamping: y)))
      }
      contours.append(contour)
    }
    let shapes = try Shapes(validating: contours, width: width, height: height, inscription: inscription)
    guard shapes.bytes == stored else {
      throw InkError(
        path: "blob", finding: "is not in the form that is written for its outlines",
        requirement: "send it unchanged")
    }
    return shapes
  }
}
