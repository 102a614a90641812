internal import Base
internal import Ink

/// A line of letters, in ems with y upwards, from the start of its baseline.
struct Line {
  private var contours: [Letters.Contour] = []
  private var end: Float = 0
  /// The fonts of the letters, run by run.
  private(set) var fonts: [Digest] = []

  mutating func add(_ glyphs: [Typeface.Glyph], of face: Typeface) {
    fonts.append(face.hash)
    for glyph in glyphs {
      let origin = SIMD2(end, 0) + glyph.offset / face.unitsPerEm
      contours += face.outline(of: glyph).map { $0.mapped { origin + $0 / face.unitsPerEm } }
      end += glyph.advance / face.unitsPerEm
    }
  }

  /// Places the line on a baseline, with letters of this size or as small as the room demands; at the room's right end
  /// if it is read from the right. nil if nothing of it would be visible.
  func placed(
    within room: ClosedRange<Float>, baseline: Float, em size: Float, fromRight: Bool
  ) -> [Letters.Contour]? {
    guard !contours.isEmpty, end > 0 else { return nil }
    let em = min(size, (room.upperBound - room.lowerBound) / end)
    let left = fromRight ? room.upperBound - end * em : room.lowerBound
    return contours.map { $0.mapped { SIMD2(left + $0.x * em, baseline - $0.y * em) } }
  }

  /// Places the line in the middle of a canvas, with y downwards and letters of half the canvas's height, or as large
  /// as fit. nil if nothing of it would be visible.
  func placed(on canvas: Canvas) -> [Letters.Contour]? {
    let places = contours.flatMap { contour in [contour.start] + contour.edges.flatMap(\.places) }
    guard let first = places.first else { return nil }
    var low = first, high = first
    for place in places {
      low = SIMD2(min(low.x, place.x), min(low.y, place.y))
      high = SIMD2(max(high.x, place.x), max(high.y, place.y))
    }
    guard low.x < high.x, low.y < high.y else { return nil }
    let width = Float(canvas.width), height = Float(canvas.height)
    // A twelfth of the canvas stays free on each side.
    let free: Float = 5 / 6
    let em = min(height / 2, width * free / (high.x - low.x), height * free / (high.y - low.y))
    let left = width / 2 - (low.x + high.x) / 2 * em
    // The baseline is where a pad has its line, unless letters that reach far up or down need another place.
    let top = height * (1 - free) / 2
    let baseline = min(max(height * 0.64, top + high.y * em), height - top + low.y * em)
    return contours.map { $0.mapped { SIMD2(left + $0.x * em, baseline - $0.y * em) } }
  }
}
