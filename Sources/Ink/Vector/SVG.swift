/// A picture as SVG: one filled path for each stroke.
///
/// A user unit is a fraction of a pixel, so that every coordinate is an integer; each is written relative to the one
/// before, which keeps them short.
struct SVG: OutlineWriter {
  /// Rounding moves the edge by a fortieth of a pixel at most; finer steps are invisible in print, and cost a third
  /// more bytes.
  private static let unitsPerPixel = 20

  private var text: [UInt8] = []
  /// For each eraser, what was drawn before it, and the eraser's pieces.
  private var layers: [(ink: [UInt8], eraser: [UInt8])] = []
  /// How many bytes all layers have.
  private var layered = 0
  private var head: [UInt8] = []

  init(_ placement: Placement, _ options: RenderOptions) {
    let width = placement.width, height = placement.height
    let size: (Int) -> String = { pixels in
      guard let dotsPerInch = options.dotsPerInch else { return "\(pixels)" }
      return Decimal.spelled(Double(pixels) / dotsPerInch) + "in"
    }
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size(width))\" height=\"\(size(height))\" ")
    add("viewBox=\"0 0 \(width * Self.unitsPerPixel) \(height * Self.unitsPerPixel)\" fill=\"\(options.ink.hex)\">\n")
    if let paper = options.paper { add("<rect fill=\"\(paper.hex)\" width=\"100%\" height=\"100%\"/>\n") }
    swap(&head, &text)
  }

  mutating func write(_ outline: Outline, _ work: borrowing DrawingWork) throws(InkError) {
    guard !outline.contours.isEmpty else { return }
    add("<path d=\"")
    var pen = Pen()
    for contour in outline.contours {
      pen.draw(contour, into: &text)
      try work.checkSize(layered + text.count)
    }
    add("\"/>\n")
  }

  mutating func erase(_ pieces: [Outline], _ work: borrowing DrawingWork) throws(InkError) {
    guard !text.isEmpty || !layers.isEmpty else { return }
    var ink: [UInt8] = []
    swap(&ink, &text)
    layered += ink.count
    for piece in pieces { try write(piece, work) }
    var eraser: [UInt8] = []
    swap(&eraser, &text)
    layered += eraser.count
    layers.append((ink, eraser))
  }

  /// Groups are nested, so that each eraser masks everything that was drawn before it.
  consuming func finish() -> [UInt8] {
    let last = text
    text = head
    let whole = "x=\"0\" y=\"0\" width=\"100%\" height=\"100%\""
    for (number, layer) in layers.enumerated() {
      add(
        "<mask id=\"e\(number)\" maskUnits=\"userSpaceOnUse\" \(whole)><rect fill=\"#fff\" \(whole)/>\n<g fill=\"#000\">\n"
      )
      text += layer.eraser
      add("</g></mask>\n")
    }
    for number in layers.indices.reversed() { add("<g mask=\"url(#e\(number))\">\n") }
    for layer in layers {
      text += layer.ink
      add("</g>\n")
    }
    text += last
    add("</svg>\n")
    return text
  }

  private mutating func add(_ words: String) { text += words.utf8 }

  /// Writes path data and tracks the rounded position, so that rounding errors never add up.
  private struct Pen {
    private var x = 0
    private var y = 0
    private var command: UInt8 = 0

    mutating func draw(_ contour: Outline.Contour, into text: inout [UInt8]) {
      (x, y) = Self.rounded(contour.start)
      text += "M\(x) \(y)".utf8
      command = UInt8(ascii: "M")
      for edge in contour.edges {
        switch edge {
        case .line(let end): line(Self.rounded(end), into: &text)
        case .cubic(let first, let second, let end): cubic(first, second, end, into: &text)
        case .quadratic(let control, let end): quadratic(control, end, into: &text)
        case .cap(let end): cap(end, into: &text)
        }
      }
      text.append(UInt8(ascii: "z"))
    }

    private mutating func line(_ end: (x: Int, y: Int), into text: inout [UInt8]) {
      guard end != (x, y) else { return }
      write(UInt8(ascii: "l"), [end.x - x, end.y - y], into: &text)
      (x, y) = end
    }

    private mutating func cubic(
      _ first: SIMD2<Float>, _ second: SIMD2<Float>, _ end: SIMD2<Float>, into text: inout [UInt8]
    ) {
      let places = [first, second, end].map(Self.rounded)
      write(UInt8(ascii: "c"), places.flatMap { [$0.x - x, $0.y - y] }, into: &text)
      (x, y) = places[2]
    }

    private mutating func quadratic(_ control: SIMD2<Float>, _ end: SIMD2<Float>, into text: inout [UInt8]) {
      let (middleX, middleY) = Self.rounded(control), (endX, endY) = Self.rounded(end)
      guard (endX, endY) != (x, y) else { return }
      // A control on the chord draws a line.
      let one = (middleX - x).multipliedFullWidth(by: endY - y)
      let other = (middleY - y).multipliedFullWidth(by: endX - x)
      guard one != other else { return line((endX, endY), into: &text) }
      write(UInt8(ascii: "q"), [middleX - x, middleY - y, endX - x, endY - y], into: &text)
      (x, y) = (endX, endY)
    }

    /// A radius that is too small is enlarged by readers until the arc reaches its end, so this is the half circle even
    /// after rounding.
    private mutating func cap(_ end: SIMD2<Float>, into text: inout [UInt8]) {
      let (endX, endY) = Self.rounded(end)
      guard (endX, endY) != (x, y) else { return }
      write(UInt8(ascii: "a"), [1, 1, 0, 0, 1, endX - x, endY - y], into: &text)
      (x, y) = (endX, endY)
    }

    /// A repeated command is written once, and a minus sign separates numbers as a space does.
    private mutating func write(_ next: UInt8, _ numbers: [Int], into text: inout [UInt8]) {
      if next != command { text.append(next) }
      for (index, number) in numbers.enumerated() {
        if number >= 0, index > 0 || next == command { text.append(UInt8(ascii: " ")) }
        text += String(number).utf8
      }
      command = next
    }

    private static func rounded(_ place: SIMD2<Float>) -> (x: Int, y: Int) {
      let units = (place * Float(SVG.unitsPerPixel)).rounded(.toNearestOrAwayFromZero)
      return (Int(units.x), Int(units.y))
    }
  }
}
