import Base
import TestSupport
import Testing

/// docs/threats.md claims that something is stopped only where a test shows it, and docs/adding.md that something
/// cannot be forgotten.
@Suite struct ThreatTests {
  private struct Reference: Hashable {
    let suite: String
    let test: String
    let path: String
  }

  /// The references of a line, each as `[Suite.test](../Tests/Folder/Suite.swift)`.
  private func references(in line: some StringProtocol) -> [Reference] {
    line.ranges(of: "](../Tests/").compactMap { range in
      guard let open = line[..<range.lowerBound].lastIndex(of: "[") else { return nil }
      let names = String(line[line.index(after: open)..<range.lowerBound]).split(separator: ".").map(String.init)
      guard names.count == 2 else { return nil }
      return Reference(
        suite: names[0], test: names[1], path: "Tests/" + String(line[range.upperBound...].prefix { $0 != ")" }))
    }
  }

  private func exists(_ reference: Reference) -> Bool {
    guard Files.exists(Repository.path(reference.path)) else { return false }
    let text = SourceTree.text(of: reference.path)
    let names = [" \(reference.suite) {", " \(reference.suite): "]
    return names.contains(where: text.contains) && text.contains("func \(reference.test)(")
  }

  @Test("every attack that is said to be stopped names tests that exist")
  func claims() {
    var section = ""
    var count = 0
    for line in SourceTree.text(of: "docs/threats.md").split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      let isRow = line.hasPrefix("|") && !["|---", "| attack |", "| way in |"].contains(where: line.hasPrefix)
      guard section.hasPrefix("What stops them") || section == "Ways in", isRow else { continue }
      let named = references(in: line)
      #expect(!named.isEmpty, "no test is named: \(line)")
      for reference in named { #expect(exists(reference), "\(reference)") }
      count += 1
    }
    #expect(count > 20)
    let missing = references(in: "| a | b | [ThreatTests.none](../Tests/RepositoryTests/ThreatTests.swift) |")
    #expect(missing.map(exists) == [false])
  }

  @Test("every test exists that docs/adding.md says fails for what was forgotten")
  func forgotten() {
    // Lines are filled, and a reference may stand on two of them.
    let text = SourceTree.text(of: "docs/adding.md").replacing("\n", with: " ")
    let named = references(in: text).filter { $0.test != "swift" }
    #expect(named.count > 30)
    for reference in named { #expect(exists(reference), "\(reference)") }
  }
}
