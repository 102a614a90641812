/// What `--only` asks for: rows (`ROW`), rows beside one peer (`ROW/PEER`), and groups of rows. Nothing: everything.
struct Selection {
  private let words: [String]
  private var groups: Set<String> = []
  /// The group that is measured now was asked for by its own name, and so are all its rows.
  private var isWholeGroup = false

  init(_ text: String?) {
    words = text?.split(separator: ",").map(String.init) ?? []
  }

  func contains(_ id: String) -> Bool {
    words.isEmpty || isWholeGroup || words.contains { Self.fits($0, id) }
  }

  /// Begins a group; false when neither it nor one of its rows is asked for.
  mutating func begin(_ group: String, of rows: [String]) -> Bool {
    guard contains(group) || rows.contains(where: contains) else { return false }
    groups.insert(group)
    isWholeGroup = words.contains(group)
    return true
  }

  mutating func endGroup() { isWholeGroup = false }

  /// What was asked for, and is neither a group nor the name of one of these rows.
  func unmet(by rows: [String]) -> [String] {
    words.filter { word in !groups.contains(word) && !rows.contains { Self.fits(word, $0) } }
  }

  private static func fits(_ word: String, _ id: String) -> Bool {
    word == id || id.hasPrefix("\(word)/") || word.hasPrefix("\(id)/")
  }
}
