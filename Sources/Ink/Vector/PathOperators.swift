/// Ink as operators of a PDF page, for documents that place a signature among other content.
public struct InkPath: Hashable, Sendable {
  /// One filled path for each stroke, in pixels with y down. The graphics state is unchanged except for the current
  /// path; the caller sets the colour.
  public let operators: [UInt8]
  public let width: Int
  public let height: Int

  init(_ writer: consuming Writer, _ placement: Placement) throws(InkError) {
    operators = try writer.finish()
    width = placement.width
    height = placement.height
  }

  /// The precision of coordinates, in parts of a pixel.
  enum Precision {
    /// For pictures of ink alone.
    case hundredths
    /// For documents, which show signatures smaller: some hundredths of a millimetre on paper, in a quarter fewer
    /// bytes.
    case tenths
  }

  struct Writer: OutlineWriter {
    private let precision: Precision
    private var text: [UInt8] = []
    private var here = SIMD2<Float>.zero
    /// For each eraser, what was drawn before it, and the operators that keep its line clear.
    private var layers: [(ink: [UInt8], clip: [UInt8])] = []
    /// How many bytes all layers have.
    private var layered = 0

    init(_ precision: Precision) {
      self.precision = precision
    }

    mutating func write(_ outline: Outline, _ work: borrowing DrawingWork) throws(InkError) {
      guard !outline.contours.isEmpty else { return }
      for contour in outline.contours {
        draw(contour)
        try work.checkSize(layered + text.count)
      }
      add("f\n")
    }

    mutating func erase(_ pieces: [Outline], _ work: borrowing DrawingWork) throws(InkError) {
      guard !text.isEmpty || !layers.isEmpty else { return }
      var ink: [UInt8] = []
      swap(&ink, &text)
      layered += ink.count
      // A rectangle around everything with a hole: by the even-odd rule the hole is left out, and of several such
      // clips, one after another, the parts that are in all of them remain.
      for contour in pieces.flatMap(\.contours) {
        add("-9999 -9999 29999 29999 re\n")
        draw(contour)
        add("W* n\n")
        try work.checkSize(layered + text.count)
      }
      var clip: [UInt8] = []
      swap(&clip, &text)
      layered += clip.count
      layers.append((ink, clip))
    }

    /// Clips each layer by every eraser that came after it. Clips are not nested, since readers bound the depth.
    consuming func finish() throws(InkError) -> [UInt8] {
      var operators: [UInt8] = []
      for (number, layer) in layers.enumerated() where !layer.ink.isEmpty {
        operators += "q\n".utf8
        for eraser in layers[number...] { operators += eraser.clip }
        operators += layer.ink
        operators += "Q\n".utf8
        try DrawingWork().checkSize(operators.count + text.count)
      }
      return operators + text
    }

    private mutating func add(_ words: String) { text += words.utf8 }

    private mutating func add(_ value: Float) {
      let hundredths =
        switch precision {
        case .hundredths: Decimal.hundredths(value)
        case .tenths: Decimal.hundredths(value / 10) * 10
        }
      Decimal.append(hundredths: hundredths, to: &text)
      text.append(UInt8(ascii: " "))
    }

    private mutating func draw(_ contour: Outline.Contour) {
      write([contour.start], "m")
      for edge in contour.edges {
        switch edge {
        case .line(let end): write([end], "l")
        case .cubic(let first, let second, let end): write([first, second, end], "c")
        case .quadratic(let control, let end):
          // PDF knows cubic curves only.
          let first = here + (control - here) * (2.0 / 3.0), second = end + (control - end) * (2.0 / 3.0)
          write([first, second, end], "c")
        case .cap(let end): cap(to: end)
        }
      }
      add("h\n")
    }

    /// Two quarter circles, clockwise as seen.
    private mutating func cap(to end: SIMD2<Float>) {
      // How far the controls of a quarter circle are from its ends, in radii: 4/3 · (√2 − 1).
      let reach: Float = 0.552_284_75
      let start = here
      let centre = (start + end) / 2
      let outward = start - centre
      let ahead = SIMD2(-outward.y, outward.x)
      let top = centre + ahead
      write([start + ahead * reach, top + outward * reach, top], "c")
      write([top - outward * reach, end + ahead * reach, end], "c")
    }

    private mutating func write(_ places: [SIMD2<Float>], _ operation: String) {
      for place in places {
        add(place.x)
        add(place.y)
      }
      add(operation)
      text.append(UInt8(ascii: "\n"))
      if let last = places.last { here = last }
    }
  }
}
