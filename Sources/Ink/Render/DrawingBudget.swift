/// Bounds drawing one picture: steps of work, bytes of output, and the time for which the caller waits.
///
/// A step is the work of blending four pixels, some nanoseconds; other work is converted to it. So the bound on time
/// does not depend on a machine's speed or a clock: every machine draws or refuses the same ink.
public struct DrawingBudget: Sendable {
  /// About a second's work. The largest honest picture takes a tenth of it.
  public static let mostSteps = 1 << 27
  /// The most bytes of an SVG file, or of a PDF page before it is compressed.
  public static let mostBytes = 16 << 20

  public var steps: Int
  public var bytes: Int
  /// Called every few thousand steps to ask whether to give up, because nobody waits any longer.
  public var isOver: @Sendable () -> Bool

  public init(
    steps: Int = mostSteps, bytes: Int = mostBytes, isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.steps = steps
    self.bytes = bytes
    self.isOver = isOver
  }
}

/// A budget while it is spent.
package struct DrawingWork: ~Copyable {
  /// The cost of a piece of a line until its edge is written, in which curves are fitted on both sides.
  static let stepsPerEdgePiece = 128
  /// The cost of a modelled tip.
  static let stepsPerTip = 128

  private let budget: DrawingBudget
  private var steps = 0
  private var stepsAtLastLook = 0
  private static let stepsBetweenLooks = 1 << 16

  package init(_ budget: DrawingBudget = DrawingBudget()) {
    self.budget = budget
  }

  mutating func spend(_ more: Int) throws(InkError) {
    try require(more)
    steps += more
    guard steps - stepsAtLastLook >= Self.stepsBetweenLooks else { return }
    stepsAtLastLook = steps
    guard budget.isOver() else { return }
    throw InkError(
      .stopped, path: "strokes", finding: "were not drawn to their end", requirement: "the time for it was up")
  }

  /// Throws early if this many steps, which will be needed, are not left.
  func require(_ more: Int) throws(InkError) {
    guard more > budget.steps - steps else { return }
    throw InkError(
      .tooMuch, path: "strokes", finding: "take more than \(budget.steps) steps to draw", requirement: Self.advice)
  }

  /// - Parameter count: how many bytes the picture has so far.
  func checkSize(_ count: Int) throws(InkError) {
    guard count > budget.bytes else { return }
    throw InkError(
      .tooMuch, path: "strokes", finding: "make a picture of more than \(budget.bytes) bytes",
      requirement: Self.advice)
  }

  private static let advice = "draw fewer or shorter lines, smaller or with a thinner pen"
}
