import TestSupport
import Testing

/// docs/validation.md lists every rule by which documents and flows are validated.
@Suite("The page of validation") struct ValidationPageTests {
  @Test("each rule of the code is on the page with its severity, and the page has no other")
  func complete() {
    let sources = SourceTree.paths(below: "Sources/ConsentDomain").filter { $0.hasSuffix(".swift") }
    let rules = sources.reduce(into: Set<String>()) { $0.formUnion(Self.rules(in: SourceTree.text(of: $1))) }
    let page = SourceTree.text(of: "docs/validation.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").prefix(2).map { String($0.filter { $0 != " " && $0 != "`" }) }.joined(separator: " ")
    }
    #expect(rules.count > 60 && Set(rows).count == rows.count, "a row stands twice, or no rule was found")
    #expect(rules.subtracting(rows).sorted() == [], "docs/validation.md lacks these")
    #expect(Set(rows).subtracting(rules).sorted() == [], "no code has these")
    let text = sources.map { SourceTree.text(of: $0) }.joined()
    for word in page.split(separator: "`").filter({ $0.contains("_") && !$0.contains("\n") }) {
      #expect(text.contains("\"\(word)\""), "no code has \(word)")
    }
  }

  /// What stands in calls such as `list.error("rule", …`, as "rule severity".
  private static func rules(in text: String) -> [String] {
    ["error", "warning", "information"].flatMap { severity in
      text.matches(of: /(\w*)\(\s*"([a-z_]+)",/).filter { $0.1 == severity }.map { "\($0.2) \(severity)" }
    }
  }
}
