/// The elements of a document in reading order, such as titles, paragraphs, lists and tables. A tagged file has this
/// tree beside its pages, so that it can be read aloud, reflowed and searched.
public struct StructureTree: Sendable {
  /// An element of the tree, by the order in which elements were added.
  public struct ID: Hashable, Sendable {
    let place: Int
  }

  public struct Attributes: Sendable {
    /// What a picture shows, for those who cannot see it.
    public var alternative: String?
    /// The language, if it differs from the document's.
    public var language: String?
    /// The full form of an abbreviation.
    public var expansion: String?
    /// The area of a picture on its page.
    public var box: PDFBox?
    /// For a header cell of a table: whether it heads its row or its column.
    public var scope: Scope?
    public var rowSpan = 1
    public var columnSpan = 1
    /// For a list: how its items are numbered.
    public var numbering: Numbering?

    public init() {}
  }

  public enum Scope: String, Sendable {
    case row = "Row"
    case column = "Column"
    case both = "Both"
  }

  public enum Numbering: String, Sendable {
    case none = "None"
    case disc = "Disc"
    case decimal = "Decimal"
    case upperRoman = "UpperRoman"
    case lowerRoman = "LowerRoman"
    case upperAlpha = "UpperAlpha"
    case lowerAlpha = "LowerAlpha"
  }

  enum Child {
    case element(ID)
    /// A piece of a page's content.
    case content(page: Int, piece: Int)
    /// A link, or a field of a form.
    case object(page: Int, number: Int)
  }

  struct Element {
    let role: String
    let parent: ID?
    var attributes: Attributes
    var children: [Child] = []
  }

  private(set) var elements: [Element] = []

  public init() {}

  /// Adds an element at the end of `parent`. The first element has no parent, and is the whole document.
  public mutating func add(_ role: String, in parent: ID?, _ attributes: Attributes = Attributes()) -> ID {
    precondition((parent == nil) == elements.isEmpty, "only the first element has no parent")
    let id = ID(place: elements.count)
    elements.append(Element(role: role, parent: parent, attributes: attributes))
    if let parent { elements[parent.place].children.append(.element(id)) }
    return id
  }

  public mutating func change(_ id: ID, _ body: (inout Attributes) -> Void) {
    body(&elements[id.place].attributes)
  }

  mutating func add(_ child: Child, to id: ID) {
    elements[id.place].children.append(child)
  }
}
