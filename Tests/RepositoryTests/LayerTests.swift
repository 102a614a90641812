import Testing

/// The table of layers in docs/architecture.md, compared with the package.
@Suite struct LayerTests {
  /// The targets that each line of the table names.
  private static let lines: [[String]] = SourceTree.text(of: "docs/architecture.md").split(separator: "\n")
    .filter { $0.hasPrefix("| `") }.map { line in
      let cell = line.dropFirst().prefix { $0 != "|" }
      let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
      return pieces.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

  /// The targets in Swift that run in production, each with what stands in quotes after its name.
  private static let targets: [(name: String, words: [String])] = {
    let manifest = SourceTree.text(of: "Package.swift")
    let shipped = manifest.components(from: "let shipped: [Target]", to: "let development: [Target]")
    return ["library(", "program(", ".target("].flatMap { call in
      shipped.ranges(of: call).compactMap { range -> (name: String, words: [String])? in
        var depth = 1
        let arguments = shipped[range.upperBound...].prefix { character in
          depth += character == "(" ? 1 : character == ")" ? -1 : 0
          return depth > 0
        }
        let pieces = arguments.split(separator: "\"", omittingEmptySubsequences: false)
        let words = pieces.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        guard let name = words.first, !Layout.isCLibrary(name) else { return nil }
        return (name, Array(words.dropFirst()))
      }
    }
  }()

  /// The place of a target's line. All contracts stand in one.
  private func place(of target: String) -> Int? {
    let name = target.hasSuffix("Contract") ? "ConsentContract" : target
    return Self.lines.firstIndex { $0.contains(name) }
  }

  @Test("the table of layers has every target that runs in production, once, and no other")
  func complete() {
    let named = Self.lines.flatMap { $0 }.filter { !$0.hasSuffix("Contract") }
    #expect(named.sorted() == Self.targets.map(\.name).sorted())
    #expect(Self.targets.count > 25 && place(of: "HealthContract") != nil)
  }

  @Test("no target uses another one whose line in the table of layers is below its own")
  func order() {
    for target in Self.targets {
      let below = target.words.filter { word in
        guard let own = place(of: target.name), let other = place(of: word) else { return false }
        return other > own
      }
      #expect(below == [], "\(target.name)")
    }
  }
}

extension String {
  fileprivate func components(from beginning: String, to end: String) -> Substring {
    guard let first = firstRange(of: beginning), let last = self[first.upperBound...].firstRange(of: end) else {
      return ""
    }
    return self[first.upperBound..<last.lowerBound]
  }
}
