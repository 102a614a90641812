import Base
import TestSupport
import Testing

/// docs/coverage.md says what is covered, and by which test.
@Suite struct CoverageDocumentTests {
  @Test("every test that docs/coverage.md names exists, and every row of a table names one")
  func named() throws {
    let text = SourceTree.text(of: "docs/coverage.md")
    let sources = SourceTree.paths(below: "Tests").filter { $0.hasSuffix("Tests.swift") }
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") }
    let headers = rows.filter { $0.hasSuffix("| test |") }
    #expect(headers.count == 11 && rows.count >= 50)
    let pages = SourceTree.paths(below: "web").filter { $0.hasSuffix(".py") }.map { SourceTree.text(of: $0) }
    for row in rows where !headers.contains(row) {
      let (names, ofPages) = (Self.tests(in: row), Self.testsOfPages(in: row))
      #expect(!names.isEmpty || !ofPages.isEmpty, "no test: \(row)")
      for name in names { #expect(Self.exists(name, in: sources), "\(name)") }
      for name in ofPages { #expect(pages.contains { $0.contains("def \(name)(") }, "\(name)") }
    }
    for name in Self.tests(in: text[...]) { #expect(Self.exists(name, in: sources), "\(name)") }
    #expect(!Self.exists("CoverageDocumentTests.another", in: sources))
  }

  /// Names such as `Suite.test`, in backticks.
  private static func tests(in text: Substring) -> [String] {
    text.split(separator: "`").map(String.init).filter { word in
      let parts = word.split(separator: ".")
      return parts.count == 2 && parts[0].hasSuffix("Tests") && !word.contains(" ") && !word.contains("\n")
    }
  }

  /// Names such as `test_something`, in backticks: a test of web/.
  private static func testsOfPages(in text: Substring) -> [String] {
    text.split(separator: "`").map(String.init).filter { $0.hasPrefix("test_") && !$0.contains(" ") }
  }

  private static func exists(_ name: String, in sources: [String]) -> Bool {
    let parts = name.split(separator: ".")
    return sources.filter { $0.hasSuffix("/\(parts[0]).swift") }.contains { path in
      let lines = SourceTree.text(of: path).split(separator: "\n").map { $0.drop { $0 == " " } }
      return lines.contains { $0.hasPrefix("func \(parts[1])(") }
    }
  }
}
