/// Builds blocks from the tokens of markup.
struct BlockBuilder {
  private var frames: [Frame] = [Frame(element: "")]
  private var style = InlineStyle()
  private var paragraph = Paragraph()
  private var links = 0
  private var endsInSpace = true

  /// An open element, and what was built of its content so far.
  private struct Frame {
    let element: String
    var attributes: [String: String] = [:]
    var blocks: [Block] = []
    var outerStyle = InlineStyle()
    var list: ListBlock?
    var table: TableBlock?
    var direction: Direction?
    /// The character that ends the direction that an inline element has begun.
    var endMark: String?
    var isPreformatted = false
    /// The places of items that are elements in a list, and the numbers that they state themselves.
    var numbered: [(place: Int, number: Int?)] = []
  }

  private enum Direction: String {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
    /// The direction of the first letter that has one.
    case automatic = "auto"

    init?(_ attributes: [String: String]) {
      guard let text = attributes["dir"] else { return nil }
      self.init(rawValue: text.lowercased())
    }
  }

  static func blocks(
    _ markup: String, place: String, _ patience: Patience
  ) throws(DocumentError) -> [Block] {
    var builder = BlockBuilder()
    for token in try MarkupReader.read(markup, place: place, patience) {
      switch token {
      case .open(let name, let attributes): builder.open(name, attributes)
      case .close(let name): builder.close(name)
      case .text(let text): builder.take(text)
      }
    }
    builder.endParagraph()
    return builder.frames[0].blocks
  }

  // MARK: - Text

  private mutating func take(_ text: String) {
    guard frames[frames.count - 1].isPreformatted else {
      return add(Self.collapsed(text, afterSpace: endsInSpace))
    }
    let end = lineEnd
    let characters: [Character] = text.map { character in
      switch character {
      case "\r\n", "\r", "\n": end
      case "\t": " "
      default: character
      }
    }
    add(String(characters))
  }

  private mutating func add(_ text: String) {
    guard let last = text.unicodeScalars.last else { return }
    endsInSpace = Self.isSpace(last)
    append(text)
  }

  private mutating func append(_ text: String) {
    if let last = paragraph.spans.last, last.style == style {
      paragraph.spans[paragraph.spans.count - 1].text += text
    } else {
      paragraph.spans.append(Paragraph.Span(text: text, style: style))
    }
  }

  /// A line break ends all open directions. Where elements have begun some, a character is used after which they
  /// continue.
  private var lineEnd: Character { frames.contains { $0.endMark != nil } ? "\u{2028}" : "\n" }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\n" || scalar == "\u{2028}"
  }

  /// Replaces each run of white space by one space. No-break spaces are not white space.
  private static func collapsed(_ text: String, afterSpace: Bool) -> String {
    var result = String.UnicodeScalarView()
    var isSpace = afterSpace
    for scalar in text.unicodeScalars {
      if [9, 10, 12, 13, 32].contains(scalar.value) {
        if !isSpace { result.append(" ") }
        isSpace = true
      } else {
        result.append(scalar)
        isSpace = false
      }
    }
    return String(result)
  }

  private mutating func endParagraph() {
    var ended = paragraph
    paragraph = Paragraph()
    endsInSpace = true
    for index in frames.indices { frames[index].endMark = nil }
    ended.isRightToLeft = isRightToLeft(ended)
    ended.isPreformatted = frames[frames.count - 1].isPreformatted
    ended.isCaption = frames.contains { $0.element == "figcaption" }
    while let last = ended.spans.last {
      var text = last.text
      while let end = text.unicodeScalars.last, Self.isSpace(end) { text.unicodeScalars.removeLast() }
      guard text.isEmpty else {
        ended.spans[ended.spans.count - 1].text = text
        break
      }
      ended.spans.removeLast()
    }
    guard !ended.spans.isEmpty else { return }
    let element = frames[frames.count - 1].element
    if let level = Self.headings[element] {
      frames[frames.count - 1].blocks.append(.heading(level: level, ended))
    } else {
      frames[frames.count - 1].blocks.append(.paragraph(ended))
    }
  }

  /// nil for the document's direction.
  private mutating func isRightToLeft(_ paragraph: Paragraph) -> Bool? {
    guard let place = frames.lastIndex(where: { $0.direction != nil }) else { return nil }
    guard frames[place].direction == .automatic else { return frames[place].direction == .rightToLeft }
    let letters = paragraph.spans.lazy.flatMap(\.text.unicodeScalars)
    guard let isRightToLeft = TextRules.isRightToLeft(letters) else { return false }
    frames[place].direction = isRightToLeft ? .rightToLeft : .leftToRight
    return isRightToLeft
  }

  private static let headings = ["h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6]

  // MARK: - Elements

  private mutating func open(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "br": add(String(lineEnd))
    case "wbr": add("\u{200B}")
    case "hr":
      endParagraph()
      frames[frames.count - 1].blocks.append(.rule)
    case "img":
      endParagraph()
      var source = attributes["src"] ?? ""
      if source.hasPrefix("asset:") { source = String(source.dropFirst(6)) }
      frames[frames.count - 1].blocks.append(
        .picture(
          name: source, alternative: attributes["alt"], width: MarkupNumber.length(attributes["width"]),
          height: MarkupNumber.length(attributes["height"])))
    case _ where Self.inline.contains(name): pushInline(name, attributes)
    default:
      endParagraph()
      if name == "li" { gather() }
      push(name, attributes)
      begin(name, attributes)
    }
  }

  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "rp", "rt",
    "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
  ]

  private mutating func push(_ name: String, _ attributes: [String: String]) {
    var frame = Frame(element: name, attributes: attributes, outerStyle: style)
    frame.isPreformatted = name == "pre" || frames[frames.count - 1].isPreformatted
    frame.direction = Direction(attributes)
    speak(attributes["lang"])
    frames.append(frame)
  }

  /// - Parameter language: ignored if it is longer than any tag, since it is examined for each piece of text.
  private mutating func speak(_ language: String?) {
    if let language, language.utf8.count <= 64 { style.language = language }
  }

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "ul": frames[frames.count - 1].list = ListBlock(numbering: .disc, items: [])
    case "ol":
      frames[frames.count - 1].list = ListBlock(numbering: Self.numbering(attributes["type"]), items: [])
    case "dt", "th", "caption": style.isBold = true
    case "figcaption": style.isSmall = true
    case "table": frames[frames.count - 1].table = TableBlock()
    case "tr":
      let isHead = frames.dropLast().last?.element == "thead"
      withTable { $0.rows.append(TableBlock.Row(isHead: isHead)) }
    case "pre": style.isMonospaced = true
    default: break
    }
  }

  private mutating func pushInline(_ name: String, _ attributes: [String: String]) {
    let top = frames[frames.count - 1]
    var frame = Frame(element: top.element, attributes: attributes, outerStyle: style)
    frame.isPreformatted = top.isPreformatted
    // Blocks inside an inline element become blocks of the element around it.
    frames.append(frame)
    speak(attributes["lang"])
    switch name {
    case "b", "strong": style.isBold = true
    case "i", "em", "cite", "dfn", "var": style.isItalic = true
    case "u", "ins": style.isUnderlined = true
    case "s", "del": style.isStruck = true
    case "code", "kbd", "samp": style.isMonospaced = true
    case "small", "rt": style.isSmall = true
    case "mark": style.isMarked = true
    case "sub": style.shift = -1
    case "sup": style.shift = 1
    case "abbr": style.expansion = attributes["title"]
    case "q": add("“")
    case "a":
      if let address = attributes["href"], Self.mayFollow(address) {
        links += 1
        style.link = InlineStyle.Link(address: address, number: links)
      }
    default: break
    }
    beginDirection(name, attributes)
  }

  /// Whether a reader of a file may follow a link: to a page, to write, or to call. Anything else could be a program.
  private static func mayFollow(_ address: String) -> Bool {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return ["https", "http", "mailto", "tel"].contains(scheme) && scheme.utf8.count < address.utf8.count
  }

  /// Begins an isolate or override of the bidirectional algorithm.
  private mutating func beginDirection(_ name: String, _ attributes: [String: String]) {
    let marks: (begin: String, end: String)
    switch (name, Direction(attributes)) {
    case ("bdo", .rightToLeft): marks = ("\u{202E}", "\u{202C}")
    case ("bdo", _): marks = ("\u{202D}", "\u{202C}")
    case (_, .rightToLeft): marks = ("\u{2067}", "\u{2069}")
    case (_, .leftToRight): marks = ("\u{2066}", "\u{2069}")
    case (_, .automatic), ("bdi", nil): marks = ("\u{2068}", "\u{2069}")
    case (_, nil): return
    }
    append(marks.begin)
    frames[frames.count - 1].endMark = marks.end
  }

  private mutating func close(_ name: String) {
    if ["br", "wbr", "hr", "img"].contains(name) { return }
    if Self.inline.contains(name) {
      closeInline(name)
      return
    }
    endParagraph()
    if name == "ul" || name == "ol" { gather() }
    let frame = frames.removeLast()
    style = frame.outerStyle
    let last = frames.count - 1
    switch name {
    case "ul", "ol":
      if let list = Self.numbered(frame), !list.items.isEmpty { frames[last].blocks.append(.list(list)) }
    case "li": closeItem(frame)
    case "table":
      // Content of a table outside its cells is shown before the table, as in browsers.
      frames[last].blocks += frame.blocks
      if let table = frame.table, !table.caption.isEmpty || table.rows.contains(where: { !$0.cells.isEmpty }) {
        frames[last].blocks.append(.table(table))
      }
    case "caption" where isInTable: withTable { $0.caption += frame.blocks }
    case "td" where isInTable, "th" where isInTable:
      let cell = Self.cell(frame, isHead: name == "th")
      withTable { table in
        if table.rows.isEmpty { table.rows.append(TableBlock.Row()) }
        table.rows[table.rows.count - 1].cells.append(cell)
      }
    case "blockquote", "dd": frames[last].blocks.append(.quote(frame.blocks))
    default: frames[last].blocks += frame.blocks
    }
  }

  private mutating func closeInline(_ name: String) {
    let frame = frames.removeLast()
    if name == "q" { add("”") }
    if let mark = frame.endMark { append(mark) }
    style = frame.outerStyle
    frames[frames.count - 1].blocks += frame.blocks
  }

  /// Makes an item without a label from content of a list outside its items, such as a nested list.
  private mutating func gather() {
    let last = frames.count - 1
    let stray = frames[last].blocks
    guard frames[last].list != nil, !stray.isEmpty else { return }
    frames[last].list?.items.append(ListBlock.Item(label: "", blocks: stray))
    frames[last].blocks = []
  }

  private var isInTable: Bool { frames.contains { $0.table != nil } }

  private mutating func closeItem(_ frame: Frame) {
    let last = frames.count - 1
    guard let place = frames[last].list?.items.count else {
      frames[last].blocks += frame.blocks
      return
    }
    frames[last].numbered.append((place, MarkupNumber.whole(frame.attributes["value"])))
    frames[last].list?.items.append(ListBlock.Item(label: "", blocks: frame.blocks))
  }

  /// The list with its labels. A list that counts down begins with the number of its items, unless it states another.
  private static func numbered(_ frame: Frame) -> ListBlock? {
    guard var list = frame.list else { return nil }
    let isReversed = frame.attributes["reversed"] != nil
    var number = MarkupNumber.whole(frame.attributes["start"]) ?? (isReversed ? frame.numbered.count : 1)
    for item in frame.numbered {
      number = item.number ?? number
      list.items[item.place].label = ListLabel.text(number, list.numbering)
      number += isReversed ? -1 : 1
    }
    return list
  }

  private mutating func withTable(_ body: (inout TableBlock) -> Void) {
    guard let place = frames.lastIndex(where: { $0.table != nil }), var table = frames[place].table else { return }
    // Removed first, so that the table has one owner and adding a cell does not copy it.
    frames[place].table = nil
    body(&table)
    frames[place].table = table
  }

  private static func cell(_ frame: Frame, isHead: Bool) -> TableBlock.Cell {
    func span(_ name: String) -> Int { min(max(MarkupNumber.whole(frame.attributes[name]) ?? 1, 1), 100) }
    return TableBlock.Cell(
      blocks: frame.blocks, isHead: isHead, scope: frame.attributes["scope"] ?? "", columnSpan: span("colspan"),
      rowSpan: span("rowspan"))
  }

  private static func numbering(_ type: String?) -> ListBlock.Numbering {
    switch type {
    case "a": .lowerAlpha
    case "A": .upperAlpha
    case "i": .lowerRoman
    case "I": .upperRoman
    default: .decimal
    }
  }
}
