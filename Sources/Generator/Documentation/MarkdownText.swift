/// A Markdown page under construction.
struct MarkdownText {
  private(set) var text = ""

  mutating func heading(_ level: Int, _ heading: String) {
    paragraph(String(repeating: "#", count: level) + " " + heading)
  }

  /// Lines that belong together; what has no lines is left out.
  mutating func paragraph(_ lines: String) {
    guard !lines.isEmpty else { return }
    if !text.isEmpty { text += "\n" }
    text += lines + "\n"
  }

  /// A table without rows is left out.
  mutating func table(_ columns: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    let rule = String(repeating: "|---", count: columns.count) + "|"
    let lines = ([columns] + rows).map { "| \($0.joined(separator: " | ")) |" }
    paragraph(([lines[0], rule] + lines.dropFirst()).joined(separator: "\n"))
  }

  mutating func code(_ language: String, _ code: String) {
    paragraph("```\(language)\n\(code)\n```")
  }

  /// A comment as prose: what Markdown would take for marks is shown as it stands.
  static func prose(_ comment: String) -> String {
    comment.replacing("<", with: "&lt;").replacing("*", with: "\\*")
  }

  /// A comment as a table's cell, which is one line.
  static func cell(_ comment: String) -> String {
    prose(comment).split(separator: "\n").joined(separator: " ").replacing("|", with: "\\|")
  }

  /// The anchor that a heading gets, as GitHub makes it.
  static func anchor(of heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "_" || character == "-" ? character : nil
      })
  }
}
