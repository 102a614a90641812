import Testing

/// The rules of docs/architecture.md, checked against the sources.
@Suite struct ArchitectureTests {
  private static let sources = SourceTree.files(below: "Sources") + SourceTree.files(below: "Benchmarks/Sources")

  @Test("the sources follow the rule", arguments: ArchitectureRule.all)
  func kept(rule: ArchitectureRule) {
    #expect(Self.sources.count > 100)
    for file in Self.sources {
      for violation in rule.violations(file) { Issue.record("\(file.path): \(violation)") }
    }
  }

  @Test("the rule catches a violation", arguments: ArchitectureRule.all)
  func catches(rule: ArchitectureRule) {
    let file = SourceFile(path: rule.planted.path, text: rule.planted.text)
    #expect(!rule.violations(file).isEmpty)
  }

  @Test("every folder that the rules call pure has sources", arguments: Layout.pureFolders)
  func pureFolders(folder: String) {
    #expect(Self.sources.contains { $0.path.hasPrefix("Sources/\(folder)/") && Layout.isPure($0) })
  }

  @Test("every folder that has nothing but pure code is listed as pure, or as one that acts by what it is given")
  func unlistedPureFolders() {
    let files = Self.sources.filter { $0.path.hasPrefix("Sources/") && !$0.isNative && !Layout.isPure($0) }
    let impure = files.filter { !ArchitectureRule.impurities(of: $0).isEmpty }
    let pure = Set(files.flatMap(Self.folders)).subtracting(impure.flatMap(Self.folders))
    #expect(pure == Layout.actingFolders)
  }

  /// The folders that a file of Sources is in: `Bus` and `Bus/Flow`.
  private static func folders(of file: SourceFile) -> [String] {
    let names = file.components.dropFirst().dropLast()
    return names.indices.map { names[...$0].joined(separator: "/") }
  }

  /// Services that a service calls: its tests may serve them on the same bus.
  private static let called = ["Tests/ServiceTests/Consent/": "SignatureService"]

  @Test("only its own tests, and those of a service that calls it, import a program")
  func testsOfPrograms() {
    func strangers(in file: SourceFile) -> [String] {
      file.imports.filter { program in
        Layout.programs.contains(program) && file.target != "\(program)Tests"
          && !file.path.hasPrefix("Tests/ServiceTests/\(program.replacing("Service", with: ""))/")
          && !Self.called.contains { file.path.hasPrefix($0.key) && program == $0.value }
      }
    }
    for file in SourceTree.files(below: "Tests") { #expect(strangers(in: file) == [], "\(file.path)") }
    let stranger = SourceFile(path: "Tests/InkTests/A.swift", text: "@testable import SignatureService\n")
    #expect(strangers(in: stranger) == ["SignatureService"])
  }

  @Test("whatever is encrypted, OpenSSL asks nobody at the process's terminal for a passphrase")
  func passphrases() {
    func askers(_ code: String) -> [Substring] {
      code.split(separator: "\n").filter { $0.contains("PEM_read_") && $0.contains("NULL, NULL") }
    }
    let shims = SourceTree.paths(below: "Sources").filter { $0.hasSuffix("/shim.h") }
    #expect(shims.count > 10)
    for path in shims { #expect(askers(SourceTree.text(of: path)) == [], "\(path)") }
    #expect(askers("key = PEM_read_bio_PrivateKey(source, NULL, NULL, NULL);").count == 1)
  }

  @Test("the rules know every program in the package")
  func programs() {
    let manifest = SourceFile(path: "Package.swift", text: SourceTree.text(of: "Package.swift"))
    var declared: [String] = []
    for call in manifest.text.ranges(of: "program(") {
      let arguments = manifest.text[call.upperBound...].drop { $0.isWhitespace }
      // The function itself is declared by the same word, with a label in place of a name.
      guard arguments.first == "\"" else { continue }
      declared.append(String(arguments.dropFirst().prefix { $0 != "\"" }).replacing("-", with: "_"))
    }
    #expect(declared.count > 4)
    #expect(Layout.programs.isSuperset(of: declared))
  }

  @Test(
    "every Swift target is compiled with the house settings", arguments: ["Package.swift", "Benchmarks/Package.swift"])
  func houseSettings(manifest: String) {
    #expect(targetsWithoutSettings(SourceTree.text(of: manifest)) == [])
    #expect(
      targetsWithoutSettings(".target(name: \"Loose\", dependencies: [(1)])") == [
        "name: \"Loose\", dependencies: [(1)]"
      ])
  }

  /// The arguments of each target that does not name the settings; C targets need none.
  private func targetsWithoutSettings(_ manifest: String) -> [String] {
    [".target(", ".executableTarget(", ".testTarget("].flatMap { call in
      manifest.ranges(of: call).compactMap { range -> String? in
        var depth = 1
        let arguments = manifest[range.upperBound...].prefix { character in
          if character == "(" { depth += 1 }
          if character == ")" { depth -= 1 }
          return depth > 0
        }
        let isC = arguments.contains("path: \"Sources/C")
        return isC || arguments.contains("swiftSettings: house") ? nil : String(arguments)
      }
    }
  }
}
