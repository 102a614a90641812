/// A part of markup. Blocks are placed one below the other.
indirect enum Block {
  case heading(level: Int, Paragraph)
  case paragraph(Paragraph)
  case list(ListBlock)
  case table(TableBlock)
  case quote([Block])
  case rule
  /// `alternative` is nil if nothing is said of it, and empty for mere decoration.
  case picture(name: String, alternative: String?, width: Double?, height: Double?)
}

/// Text that is broken into lines.
struct Paragraph {
  var spans: [Span] = []
  /// nil for the document's direction.
  var isRightToLeft: Bool?
  var isPreformatted = false
  /// Whether it says what a picture beside it shows.
  var isCaption = false

  struct Span {
    var text: String
    var style: InlineStyle
  }

  init(_ text: String = "", _ style: InlineStyle = InlineStyle()) {
    if !text.isEmpty { spans = [Span(text: text, style: style)] }
  }

  /// - Parameter language: nil for the document's.
  init(_ text: String, in language: String?) {
    var style = InlineStyle()
    style.language = language
    self.init(text, style)
  }
}

struct InlineStyle: Hashable {
  var isBold = false
  var isItalic = false
  var isUnderlined = false
  var isStruck = false
  var isMonospaced = false
  var isSmall = false
  var isMarked = false
  /// 1 for superscript, -1 for subscript.
  var shift = 0
  var link: Link?
  var language: String?
  /// The full form of an abbreviation.
  var expansion: String?

  struct Link: Hashable {
    let address: String
    /// Distinguishes two links to the same address.
    let number: Int
  }
}

struct ListBlock {
  struct Item {
    var label: String
    var blocks: [Block]
  }

  var numbering: Numbering
  var items: [Item]

  enum Numbering {
    case disc, decimal, lowerAlpha, upperAlpha, lowerRoman, upperRoman, none
  }
}

struct TableBlock {
  struct Cell {
    var blocks: [Block]
    var isHead: Bool
    var scope: String
    var columnSpan: Int
    var rowSpan: Int
  }

  struct Row {
    var cells: [Cell] = []
    var isHead = false
  }

  var caption: [Block] = []
  var rows: [Row] = []
}
