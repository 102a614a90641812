/// A Markdown page that is being built.
struct MarkdownText {
  private(set) var text = ""

  mutating func heading(_ level: Int, _ heading: String) {
    add(String(repeating: "#", count: level) + " " + heading)
  }

  /// Adds a paragraph, unless it has no lines.
  mutating func paragraph(_ lines: String) { add(Self.wrapped(lines)) }

  private mutating func add(_ lines: String) {
    guard !lines.isEmpty else { return }
    if !text.isEmpty { text += "\n" }
    text += lines + "\n"
  }

  /// Adds a table, unless it has no rows.
  mutating func table(_ columns: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    let rule = String(repeating: "|---", count: columns.count) + "|"
    let lines = ([columns] + rows).map { "| \($0.joined(separator: " | ")) |" }
    add(([lines[0], rule] + lines.dropFirst()).joined(separator: "\n"))
  }

  mutating func code(_ language: String, _ code: String) {
    add("```\(language)\n\(code)\n```")
  }

  // MARK: - Columns

  private static let columns = 120

  /// Breaks lines that are longer than 120 columns, and puts the rest before the next line. Shorter lines stay as they
  /// are.
  static func wrapped(_ text: String) -> String {
    var lines: [String] = []
    var moved = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !moved.isEmpty, line.isEmpty || beginsBlock(line) {
        lines.append(moved)
        moved = ""
      }
      var rest = moved.isEmpty ? String(line) : moved + " " + line
      moved = ""
      while rest.count > columns, let end = end(of: rest) {
        lines.append(String(rest[..<end]))
        rest = String(rest[rest.index(after: end)...])
        moved = rest
      }
      if moved.isEmpty { lines.append(rest) }
    }
    return (moved.isEmpty ? lines : lines + [moved]).joined(separator: "\n")
  }

  /// The last space at which a line may end; nil: there is none.
  private static func end(of line: String) -> String.Index? {
    let most = line.index(line.startIndex, offsetBy: columns)
    return line[...most].indices.last { place in
      line[place] == " " && place > line.startIndex && !beginsBlock(line[line.index(after: place)...])
    }
  }

  /// Whether a line with this beginning would not continue its paragraph but begin another block, such as a list.
  private static func beginsBlock(_ line: Substring) -> Bool {
    let word = line.prefix { $0 != " " }
    if ["-", "+", "*", ">", "|"].contains(word) || word.hasPrefix("#") || word.hasPrefix("```") { return true }
    return word.hasSuffix(".") && Int(word.dropLast()) != nil
  }

  // MARK: - Characters

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
