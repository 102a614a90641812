/// Bounds the work on all drawings of a paper together, and on each. A drawing can use its parts again and again, so a
/// few kilobytes of it can ask for more work than a paper of thousands of pages.
public struct DrawingAllowance: Sendable {
  /// The most bytes of markup that one drawing may read, each part as often as it is used.
  static let readByOne = 8 << 20
  /// The most bytes of operators that one drawing may become.
  static let writtenByOne = 8 << 20
  /// The cost of reading a node, in bytes, besides its attributes.
  static let node = 64

  private(set) var left: Cost
  let patience: Patience

  package struct Cost: Sendable {
    /// In bytes of markup.
    var reading: Int
    /// In bytes of operators.
    var writing: Int

    package init(reading: Int, writing: Int) {
      (self.reading, self.writing) = (reading, writing)
    }
  }

  /// - Parameter isOver: called every few milliseconds to ask whether to give up.
  public init(isOver: @escaping @Sendable () -> Bool = { false }) {
    self.init(Cost(reading: 4 * Self.readByOne, writing: 4 * Self.writtenByOne), isOver: isOver)
  }

  package init(_ cost: Cost, isOver: @escaping @Sendable () -> Bool = { false }) {
    left = cost
    patience = Patience(isOver: isOver)
  }

  /// The bounds of the next drawing.
  var forOne: Cost {
    Cost(reading: min(left.reading, Self.readByOne), writing: min(left.writing, Self.writtenByOne))
  }

  mutating func spend(_ cost: Cost) {
    left.reading -= cost.reading
    left.writing -= cost.writing
  }
}

/// The rest of one drawing's allowance, while it is drawn.
struct DrawingBudget {
  private let name: String
  private let patience: Patience
  private let given: DrawingAllowance.Cost
  private(set) var spent = DrawingAllowance.Cost(reading: 0, writing: 0)
  private var looked = 0

  /// How many bytes are read between two checks of the time: some milliseconds of work.
  private static let readingBetweenLooks = 64 << 10

  init(_ allowance: DrawingAllowance, named name: String) {
    (self.name, patience, given) = (name, allowance.patience, allowance.forOne)
  }

  /// Called before something is read, so that excessive work is not begun.
  mutating func read(_ bytes: Int) throws(DocumentError) {
    guard bytes <= given.reading - spent.reading else { throw .drawingTooLarge(name: name) }
    spent.reading += bytes
    guard spent.reading - looked >= Self.readingBetweenLooks else { return }
    looked = spent.reading
    try patience.check()
  }

  /// - Parameter bytes: how many were written so far.
  mutating func wrote(_ bytes: Int) throws(DocumentError) {
    guard bytes <= given.writing else { throw .drawingTooLarge(name: name) }
    spent.writing = bytes
  }
}
