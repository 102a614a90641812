internal import PDF

/// A row of the flow: what is drawn in it, and how it may be moved between pages.
struct Row {
  var height: Double
  /// Free space above, unless the row is the first of a page.
  var gap = 0.0
  /// How far below its top drawings end that reach over the rows below it. Those rows stay on its page.
  var reach = 0.0
  /// Whether the next row has to be on the same page.
  var keepsWithNext = false
  var startsPage = false
  /// The table head that is repeated above the row if it comes first on a page.
  var head: Head?
  var drawn: [Drawn] = []
  /// The entry of the outline that leads here.
  var bookmark: String?

  /// The room on a page that it needs.
  var extent: Double { max(height, reach) }

  /// Something to draw: x on the page, y downwards from the row's top.
  struct Drawn {
    var x: Double
    var y: Double
    var kind: Kind
  }

  enum Kind {
    /// y is that of the baseline. `elements` are those of the line's parts.
    case line(SetLine, elements: [StructureTree.ID])
    /// A line or area of the layout, such as a border.
    case fill(width: Double, height: Double, RGB)
    /// Without an element it is mere decoration, as the next one.
    case image(PDFDocument.ImageNumber, width: Double, height: Double, StructureTree.ID?)
    case paths(VectorPicture, width: Double, height: Double, StructureTree.ID?)
    case signatureField(width: Double, height: Double, name: String, title: String, StructureTree.ID)
  }

  /// The head of a table, shared by all of its rows.
  final class Head {
    let rows: [Row]
    let height: Double

    init(_ rows: [Row]) {
      self.rows = rows
      height = rows.enumerated().reduce(0) { $0 + $1.element.height + ($1.offset == 0 ? 0 : $1.element.gap) }
    }
  }

  func moved(down distance: Double) -> [Drawn] {
    drawn.map { Drawn(x: $0.x, y: $0.y + distance, kind: $0.kind) }
  }
}
