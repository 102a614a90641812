import Base
import TestSupport
import Testing

@Suite struct DocumentTests {
  @Test("the changelog begins with the version that the programs state")
  func version() {
    let stated = SourceTree.text(of: "Sources/ServiceKit/Version.swift").split(separator: "\"")[1]
    let newest = SourceTree.text(of: "CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(newest?.hasPrefix("## \(stated)") == true)
  }

  @Test("links between documents lead to files that exist")
  func links() {
    let documents =
      ["README.md", "CONTRIBUTING.md", "SECURITY.md"] + SourceTree.paths(below: "docs").filter { $0.hasSuffix(".md") }
    for document in documents {
      let folder = document.split(separator: "/").dropLast().joined(separator: "/")
      for link in links(in: SourceTree.text(of: document)) {
        #expect(Files.exists(Repository.path("\(folder)/\(link)")), "\(document) links to \(link)")
      }
    }
    #expect(links(in: "[a](b.md#part) [c](https://d) [e](#f)") == ["b.md"])
  }

  /// The targets of Markdown links that name files.
  private func links(in text: String) -> [String] {
    text.ranges(of: "](").compactMap { range in
      let target = text[range.upperBound...].prefix { $0 != ")" && $0 != "#" }
      return target.isEmpty || target.contains("://") ? nil : String(target)
    }
  }

  @Test("every decision has a number of its own")
  func decisions() {
    let numbers = SourceTree.paths(below: "docs/decisions").compactMap { path in
      path.split(separator: "/").last.flatMap { Int($0.prefix(4)) }
    }
    #expect(!numbers.isEmpty && Set(numbers).count == numbers.count)
  }
}
