extension RenderOptions {
  /// Checks every number that the caller chose, before any work is done.
  func validate() throws(InkError) {
    if let penWidth {
      try Self.check(
        penWidth, in: 0.1...100, "options.penWidth", "a pen is between 0.1 and 100 pixels wide")
    }
    if case .trimmed(let margin) = frame {
      try Self.check(margin, in: 0...1000, "options.frame.margin", "a margin is between 0 and 1000 pixels wide")
    }
    if let dotsPerInch {
      try Self.check(
        dotsPerInch, in: 1...10_000, "options.dotsPerInch", "a density is between 1 and 10000 dots per inch")
    }
    if case .jpeg(let quality) = format {
      guard (1...100).contains(quality) else {
        throw InkError(
          path: "options.quality", finding: "is \(quality)", requirement: "the quality of a JPEG is between 1 and 100")
      }
      guard paper != nil else {
        throw InkError(
          path: "options.paper", finding: "is transparent", requirement: "a JPEG has paper of a colour")
      }
    }
    switch size {
    case .scale(let factor):
      try Self.check(factor, in: 0.01...100, "options.size.scale", "a scale is between 0.01 and 100")
    case .pixels(let width, let height):
      try Self.checkPixels(width, "options.size.width")
      try Self.checkPixels(height, "options.size.height")
    }
  }

  static func checkPixels(_ count: Int, _ path: String) throws(InkError) {
    guard !(1...InkLimits.pixels).contains(count) else { return }
    throw InkError(
      path: path, finding: "is \(count)",
      requirement: "a picture is between 1 and \(InkLimits.pixels) pixels wide and high")
  }

  private static func check(
    _ value: Double, in range: ClosedRange<Double>, _ path: String, _ requirement: String
  ) throws(InkError) {
    guard !range.contains(value) else { return }
    throw InkError(path: path, finding: "is \(value.isNaN ? "NaN" : "\(value)")", requirement: requirement)
  }
}
