/// The help of a program, made from the declarations of its settings.
struct SettingsHelp {
  let usage: String
  let summary: String
  let settings: [SettingDescription]
  /// The actions of a command that has several: how each is called, and what it does.
  var actions: [(form: String, summary: String)] = []
  /// Lines at the end.
  var notes: [String] = []
  private let width = 100

  var text: String {
    let general = [
      ("--config FILE", SettingsReader.config.help, "ASSENT_CONFIG"),
      ("--help", "shows this", nil),
      ("--version", "shows the version", nil),
    ]
    let rows = settings.map { (flag($0), $0.help, notes($0)) } + general
    let column = min(30, (rows.map(\.0.count).max() ?? 0) + 4)
    let lines = rows.map { row in
      let details = row.2.map { " (\($0))" } ?? ""
      return indented(row.0, column: column, text: row.1 + details)
    }
    let end = notes.isEmpty ? "" : "\n\(notes.joined(separator: "\n"))\n"
    return "\(summary)\n\nusage: \(usage)\n\n\(actionLines)\(lines.joined(separator: "\n"))\n\(end)"
  }

  private var actionLines: String {
    guard !actions.isEmpty else { return "" }
    let column = min(30, (actions.map(\.form.count).max() ?? 0) + 4)
    return actions.map { indented($0.form, column: column, text: $0.summary) + "\n" }.joined() + "\n"
  }

  private func flag(_ setting: SettingDescription) -> String {
    setting.isSwitch ? "--\(setting.name)" : "--\(setting.givenName) \(setting.placeholder)"
  }

  private func notes(_ setting: SettingDescription) -> String? {
    var notes: [String] = []
    if let fallback = setting.defaultText {
      if !fallback.isEmpty, !setting.isSecret { notes.append("default \(fallback)") }
    } else {
      notes.append("required")
    }
    notes.append(setting.isSecret ? "\(setting.variable), \(setting.fileVariable)" : setting.variable)
    return notes.joined(separator: "; ")
  }

  /// The flag, and beside it the text, which continues in its own column.
  private func indented(_ flag: String, column: Int, text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let isFull = lines[lines.count - 1].count + 1 + word.count > width - column
      if isFull { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    let head = "  \(flag)"
    let margin = String(repeating: " ", count: column)
    let first = head.count + 2 <= column ? head + margin.dropFirst(head.count) : "\(head)\n\(margin)"
    return first + lines.joined(separator: "\n\(margin)")
  }
}
