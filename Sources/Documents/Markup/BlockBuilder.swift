/// Makes blocks of markup.
struct BlockBuilder {
  private var frames: [Frame] = [Frame(element: "")]
  private var style = InlineStyle()
  private var paragraph = Paragraph()
  private var links = 0

  /// An element that is open, and what stands in it already.
  private struct Frame {
    let element: String
    var attributes: [String: String] = [:]
    var blocks: [Block] = []
    var outerStyle = InlineStyle()
    var list: ListBlock?
    var table: TableBlock?
    var isRightToLeft: Bool?
    var isPreformatted = false
    var number = 1
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
    var text = text
    if frames[frames.count - 1].isPreformatted {
      text = String(text.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 == "\t" ? " " : $0 })
    } else {
      text = Self.collapsed(text, afterSpace: endsInSpace)
    }
    add(text)
  }

  private mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    if let last = paragraph.spans.last, last.style == style {
      paragraph.spans[paragraph.spans.count - 1].text += text
    } else {
      paragraph.spans.append(Paragraph.Span(text: text, style: style))
    }
  }

  private var endsInSpace: Bool {
    guard let last = paragraph.spans.last?.text.unicodeScalars.last else { return true }
    return last == " " || last == "\n"
  }

  /// White space as one space. No-break spaces are none.
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
    ended.isRightToLeft = frames.last { $0.isRightToLeft != nil }?.isRightToLeft
    ended.isPreformatted = frames[frames.count - 1].isPreformatted
    while let last = ended.spans.last {
      var text = last.text
      while let end = text.unicodeScalars.last, end == " " || end == "\n" { text.unicodeScalars.removeLast() }
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

  private static let headings = ["h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6]

  // MARK: - Elements

  private mutating func open(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "br": add("\n")
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
          name: source, alternative: attributes["alt"] ?? "", width: MarkupNumber.length(attributes["width"]),
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
    switch attributes["dir"] {
    case "rtl": frame.isRightToLeft = true
    case "ltr": frame.isRightToLeft = false
    default: break
    }
    speak(attributes["lang"])
    frames.append(frame)
  }

  /// - Parameter language: passed over where it is longer than any, since it is looked at for each piece of text.
  private mutating func speak(_ language: String?) {
    if let language, language.utf8.count <= 64 { style.language = language }
  }

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "ul": frames[frames.count - 1].list = ListBlock(numbering: .disc, items: [])
    case "ol":
      frames[frames.count - 1].list = ListBlock(numbering: Self.numbering(attributes["type"]), items: [])
      frames[frames.count - 1].number = MarkupNumber.whole(attributes["start"]) ?? 1
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
    (frame.isPreformatted, frame.isRightToLeft) = (top.isPreformatted, top.isRightToLeft)
    // Blocks of an inline element belong to what is around it.
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
      if let address = attributes["href"], !address.hasPrefix("#") {
        links += 1
        style.link = InlineStyle.Link(address: address, number: links)
      }
    default: break
    }
    // Isolates and overrides of the bidirectional algorithm.
    switch (name, attributes["dir"]) {
    case ("bdo", "rtl"): add("\u{202E}")
    case ("bdo", _): add("\u{202D}")
    case (_, "rtl"): add("\u{2067}")
    case (_, "ltr"): add("\u{2066}")
    case ("bdi", _): add("\u{2068}")
    default: break
    }
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
      if let list = frame.list, !list.items.isEmpty { frames[last].blocks.append(.list(list)) }
    case "li": closeItem(frame)
    case "table":
      // What stands in a table outside of its cells is shown before it, as in browsers.
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
    if name == "bdo" { add("\u{202C}") } else if name == "bdi" || frame.attributes["dir"] != nil { add("\u{2069}") }
    style = frame.outerStyle
    frames[frames.count - 1].blocks += frame.blocks
  }

  /// Makes an item without a label of what stands in a list outside of its items, such as a list within a list.
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
    guard let numbering = frames[last].list?.numbering else {
      frames[last].blocks += frame.blocks
      return
    }
    let number = MarkupNumber.whole(frame.attributes["value"]) ?? frames[last].number
    frames[last].number = number + (frames[last].attributes["reversed"] == nil ? 1 : -1)
    frames[last].list?.items.append(
      ListBlock.Item(label: ListLabel.text(number, numbering), blocks: frame.blocks))
  }

  private mutating func withTable(_ body: (inout TableBlock) -> Void) {
    guard let place = frames.lastIndex(where: { $0.table != nil }), var table = frames[place].table else { return }
    // Held by one hand only, so that a cell more is no copy of all before it.
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
