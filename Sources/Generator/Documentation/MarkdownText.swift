/// A Markdown page that is being built.
struct MarkdownText {
  private(set) var text = ""

  mutating func heading(_ level: Int, _ heading: String) {
    paragraph(String(repeating: "#", count: level) + " " + heading)
  }

  /// Adjacent lines; nothing if there are none.
  mutating func paragraph(_ lines: String) {
    guard !lines.isEmpty else { return }
    if !text.isEmpty { text += "\n" }
    text += lines + "\n"
  }

  /// Left out if it has no rows.
  mutating func table(_ columns: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    let rule = String(repeating: "|---", count: columns.count) + "|"
    let lines = ([columns] + rows).map { "| \($0.joined(separator: " | ")) |" }
    paragraph(([lines[0], rule] + lines.dropFirst()).joined(separator: "\n"))
  }

  mutating func code(_ language: String, _ code: String) {
    paragraph("```\(language)\n\(code)\n```")
  }

  /// A comment as prose, with characters that Markdown would interpret escaped.
  static func prose(_ comment: String) -> String {
    comment.replacing("<", with: "&lt;").replacing("*", with: "\\*")
  }

  /// A comment as a table's cell, which is one line.
  static func cell(_ comment: String) -> String {
    prose(comment).split(separator: "\n").joined(separator: " ").replacing("|", with: "\\|")
  }

  /// The anchor of a heading, as on GitHub.
  static func anchor(of heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "_" || character == "-" ? character : nil
      })
  }
}
