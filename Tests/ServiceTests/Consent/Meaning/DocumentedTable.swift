import Base
import TestSupport

/// A table in docs/consent.md, which a test walks.
enum DocumentedTable {
  /// The cells of each row below a heading.
  static func rows(below heading: String) -> [[String]] {
    let bytes = try? Files.read(Repository.path("docs/consent.md"))
    let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").drop { !$0.hasPrefix(heading) }.dropFirst(2).prefix { $0.hasPrefix("|") }
      .map { line in
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.split(separator: " ").joined(separator: " ") }
      }
  }
}
