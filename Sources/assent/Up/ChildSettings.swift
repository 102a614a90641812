internal import Base
internal import ServiceKit

/// What the programs that `assent up` starts can be told besides what it is told itself. Each of them says so: the help
/// asks them.
enum ChildSettings {
  /// A setting as a program's help shows it: its name, and the lines about it.
  private struct Entry {
    let name: String
    var text: String
    var sections: [String]
  }

  /// - Parameter known: the settings of `assent up` itself, which it passes on.
  static func lines(besides known: Set<String>) async -> [String] {
    var entries: [Entry] = []
    for (section, program) in ProgramKind.programs {
      let hidden = known.union(ProgramKind.decided(of: section))
      for entry in await self.entries(of: program, in: section) where !hidden.contains(entry.name) {
        if let same = entries.firstIndex(where: { $0.text == entry.text }) {
          entries[same].sections.append(section)
        } else {
          entries.append(entry)
        }
      }
    }
    var lines = [
      "The programs that it starts take these, too: each in its section of the settings file, or as a variable, which",
      "reaches all of them where assent up does not set it.",
    ]
    var shown: Set<[String]> = []
    for sections in entries.map(\.sections) where shown.insert(sections).inserted {
      lines += ["", sections.map { "[\($0)]" }.joined(separator: " ")]
      lines += entries.filter { $0.sections == sections }.map(\.text)
    }
    return lines
  }

  /// What a program's help says of its settings; nothing if it is not installed, as InteropService seldom is.
  private static func entries(of program: String, in section: String) async -> [Entry] {
    var command = ChildCommand("\(OwnProgram.folder)/\(program)", ["--help"])
    command.errors = .discarded
    guard let help = try? await ChildProcess.output(of: command), help.exit.isSuccess else { return [] }
    var entries: [Entry] = []
    for line in help.lines {
      if line.hasPrefix("  --") {
        let words = line.dropFirst(4)
        // A file has no dashes before a name; the text beside it stays in its column.
        entries.append(
          Entry(name: String(words.prefix { $0 != " " }), text: "    \(words)", sections: [section]))
      } else if line.hasPrefix("  "), !entries.isEmpty {
        entries[entries.count - 1].text += "\n\(line)"
      }
    }
    return entries.filter { !["config", "help", "version"].contains($0.name) }
  }
}
