internal import ConsentContract

/// A screen as text for people, from top to bottom.
enum ScreenText {
  private static let width = 76

  /// - Parameter known: earlier screens; what they showed in full is not printed again.
  static func lines(of screen: ConsentScreen, knowing known: [ConsentScreen] = []) -> [String] {
    let bar = screen.navigationBar ?? NavigationBar()
    let leading = bar.leading.map { "< \($0.title)" } ?? ""
    let trailing = bar.trailing.map { "\($0.title) >" } ?? ""
    var lines = ["╭" + String(repeating: "─", count: width), "│ " + spread(leading, bar.title, trailing), "│"]
    func add(_ text: String) { lines += wrapped(text).map { "│   \($0)" } }
    if let image = screen.image { add("[ \(image.alt) ]") }
    if !screen.title.isEmpty { add(screen.title.uppercased()) }
    let isKnown = known.contains { $0.id == screen.id }
    if !screen.text.isEmpty { add(isKnown ? "… as above …" : screen.text) }
    if !screen.html.isEmpty, known.contains(where: { $0.html == screen.html }) {
      add("… the document, as above …")
    } else {
      plain(screen.html).forEach(add)
    }
    for question in screen.questions {
      add(question.prompt)
      if !question.detail.isEmpty { add("(\(question.detail))") }
      let box = question.kind == .multiple ? "☐" : "○"
      let choices = question.choices.map(\.text) + [question.yesTitle, question.noTitle].filter { !$0.isEmpty }
      for choice in choices { add("  \(box) \(choice)") }
    }
    for option in screen.sharingOptions { add("  ○ \(option.text)") }
    if let form = screen.nameForm {
      add("\(form.signerTitle): \(form.givenLabel) ________  \(form.familyLabel) ________")
    }
    if let form = screen.signatureForm { add("\(form.signerTitle) — \(form.meaning)") }
    if let more = screen.learnMore { add("› \(more.title)") }
    if let notice = screen.entries?.notice, !notice.isEmpty { add("! \(notice)") }
    if let buttons = screen.toolbar?.buttons, !buttons.isEmpty {
      lines += [
        "│", "│   " + buttons.map { $0.enabled ? "[ \($0.title) ]" : "( \($0.title) )" }.joined(separator: "  "),
      ]
      if let why = whatWaits(buttons, on: screen) { lines.append("│   \(why)") }
    }
    if let alert = screen.alert {
      lines += ["│", "│   ┌ \(alert.title)"]
      lines += wrapped(alert.message).map { "│   │ \($0)" }
      lines.append("│   └ " + alert.buttons.map { "[ \($0.title) ]" }.joined(separator: "  "))
    }
    lines.append("╰" + String(repeating: "─", count: width))
    return lines
  }

  /// Why buttons cannot be pressed yet; nil when all can.
  private static func whatWaits(_ buttons: [ScreenButton], on screen: ConsentScreen) -> String? {
    let waiting = buttons.filter { !$0.enabled }.map { "( \($0.title) )" }.joined(separator: " and ")
    if waiting.isEmpty { return nil }
    if screen.alert != nil { return "\(waiting): once the question below is answered" }
    return "\(waiting): once the document has been read to its end"
  }

  private static func spread(_ leading: String, _ title: String, _ trailing: String) -> String {
    let taken = [leading, title, trailing].map { TextColumns.width(of: $0) }.reduce(0, +)
    let room = max(2, (width - taken) / 2)
    let gap = String(repeating: " ", count: room)
    return "\(leading)\(gap)\(title)\(gap)\(trailing)"
  }

  /// Our own HTML as lines of text: tags are removed, blocks become lines.
  private static func plain(_ html: String) -> [String] {
    var text = ""
    var isTag = false
    var tag = ""
    // For each open list the number of its last entry; nil: it is not numbered.
    var lists: [Int?] = []
    for character in html {
      switch character {
      case "<":
        isTag = true
        tag = ""
      case ">" where isTag:
        isTag = false
        let name = tag.prefix { $0 != " " }
        switch name {
        case "ol": lists.append(0)
        case "ul": lists.append(nil)
        case "/ol", "/ul": _ = lists.popLast()
        case "li":
          let number = (lists.popLast() ?? nil).map { $0 + 1 }
          lists.append(number)
          text += number.map { "\n\($0). " } ?? "\n• "
        default: break
        }
        if ["p", "h1", "h3", "h4", "div", "ul", "ol", "br/", "br"].contains(name) { text += "\n" }
      default: isTag ? tag.append(character) : text.append(character)
      }
    }
    for (reference, meaning) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
      text = text.split(separator: reference, omittingEmptySubsequences: false).joined(separator: meaning)
    }
    return text.split(separator: "\n").map(String.init)
  }

  private static func wrapped(_ text: String) -> [String] { TextColumns.lines(of: text, upTo: width - 6) }
}
