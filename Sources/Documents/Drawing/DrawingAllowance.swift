/// What all drawings of a paper may take together, and each of them: a drawing uses its parts again and again, so that
/// one of a few kilobytes can ask for more work than a paper of thousands of pages.
public struct DrawingAllowance: Sendable {
  /// What one drawing may read of its markup, each part as often as it is used.
  static let readByOne = 8 << 20
  /// The operators that one drawing may become.
  static let writtenByOne = 8 << 20
  /// What a node costs besides its attributes.
  static let node = 64

  private(set) var left: Cost
  let patience: Patience

  struct Cost {
    /// In bytes of markup.
    var reading: Int
    /// In bytes of operators.
    var writing: Int
  }

  /// - Parameter isOver: asked some milliseconds apart whether to give the drawings up.
  public init(isOver: @escaping @Sendable () -> Bool = { false }) {
    left = Cost(reading: 4 * Self.readByOne, writing: 4 * Self.writtenByOne)
    patience = Patience(isOver: isOver)
  }

  /// What the next drawing may take.
  var forOne: Cost {
    Cost(reading: min(left.reading, Self.readByOne), writing: min(left.writing, Self.writtenByOne))
  }

  mutating func spend(_ cost: Cost) {
    left.reading -= cost.reading
    left.writing -= cost.writing
  }
}

/// What is left for one drawing, while it is drawn.
struct DrawingBudget {
  private let name: String
  private let patience: Patience
  private let given: DrawingAllowance.Cost
  private(set) var spent = DrawingAllowance.Cost(reading: 0, writing: 0)
  private var looked = 0

  /// How much is read between two looks at the clock: some milliseconds' work.
  private static let readingBetweenLooks = 64 << 10

  init(_ allowance: DrawingAllowance, named name: String) {
    (self.name, patience, given) = (name, allowance.patience, allowance.forOne)
  }

  /// Asked before something is read, so that what is too much is not begun.
  mutating func read(_ bytes: Int) throws(DocumentError) {
    guard bytes <= given.reading - spent.reading else { throw .drawingTooLarge(name: name) }
    spent.reading += bytes
    guard spent.reading - looked >= Self.readingBetweenLooks else { return }
    looked = spent.reading
    try patience.check()
  }

  /// - Parameter bytes: all that was written so far.
  mutating func wrote(_ bytes: Int) throws(DocumentError) {
    guard bytes <= given.writing else { throw .drawingTooLarge(name: name) }
    spent.writing = bytes
  }
}
