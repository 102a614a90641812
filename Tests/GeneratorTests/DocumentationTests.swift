import Base
import Generator
import TestSupport
import Testing

@Suite("Pages of docs/api")
struct DocumentationTests {
  private static let folder = Repository.path("Tests/Fixtures/Generator")

  private static func library() async throws -> DescriptorSet {
    let proto = try Files.read("\(folder)/library.proto")
    return try await ProtoSource.descriptors(
      String(decoding: proto, as: UTF8.self), name: "example/library/v1/library.proto")
  }

  /// After a wanted change: run the tests with ASSENT_UPDATE_SNAPSHOTS=1 and read the difference.
  @Test("a small contract gives exactly the recorded pages")
  func snapshot() async throws {
    let example = try Example(
      path: "example.library.v1.LibraryService/Lend-of-a-novel.json",
      text: "{\n  \"request\": {},\n  \"response\": {}\n}\n")
    let pages = try Documentation(try await Self.library(), examples: [example]).files
    let library = "docs/api/example.library.v1.LibraryService.md"
    #expect(pages.map(\.path) == ["docs/api/README.md", library, "docs/authorization.md"])
    for (page, name) in [(pages[1], "LibraryService.md.txt"), (pages[2], "authorization.md.txt")] {
      let path = "\(Self.folder)/\(name)"
      if Environment.current["ASSENT_UPDATE_SNAPSHOTS"] != nil { try Files.write(Array(page.text.utf8), to: path) }
      #expect(String(decoding: try Files.read(path), as: UTF8.self) == page.text)
    }
  }

  @Test("prose of a page has at most 120 columns, and what moves to the next line begins no list there")
  func columns() async throws {
    let words = Array(repeating: "word", count: 18).joined(separator: " ")
    let proto = String(decoding: try Files.read("\(Self.folder)/library.proto"), as: UTF8.self)
      .replacing("// Says nothing.\n", with: "// \(words) - 7.\n// The second line.\n")
    let set = try await ProtoSource.descriptors(proto, name: "example/library/v1/library.proto")
    let page = try Documentation(set, examples: []).files[1].text
    let second = "word - 7. The second line.\n"
    #expect(page.contains("**Response**, LendResponse: \(words.dropLast(5))\n\(second)"))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 120 || $0.hasPrefix("|") })
  }

  @Test("a link between pages leads to a heading, and no page has two headings of one name")
  func links() throws {
    let folder = Repository.path("docs/api")
    var anchors: [String: [String]] = [:]
    var links: [(page: String, target: String)] = []
    for page in try Files.names(in: folder) where page.hasSuffix(".md") {
      let text = String(decoding: try Files.read("\(folder)/\(page)"), as: UTF8.self)
      anchors[page] = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { anchor(of: $0) }
      for range in text.ranges(of: "](") {
        links.append((page, String(text[range.upperBound...].prefix { $0 != ")" })))
      }
    }
    for (page, found) in anchors { #expect(Set(found).count == found.count, "\(page)") }
    #expect(links.count > 100)
    for (page, target) in links where target.contains("#") {
      let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      #expect(anchors[parts[0].isEmpty ? page : parts[0]]?.contains(parts[1]) == true, "\(page) links to \(target)")
    }
  }

  private func anchor(of line: Substring) -> String {
    let kept = line.drop { $0 == "#" }.dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }
    return kept.replacing(" ", with: "-")
  }

  @Test("an example of an unknown method is refused")
  func strayExample() async throws {
    let stray = try Example(path: "example.library.v1.LibraryService/Burn.json", text: "{}")
    let set = try await Self.library()
    #expect {
      try Documentation(set, examples: [stray])
    } throws: { "\($0)".contains("Burn") }
  }

  @Test("a contract that breaks its rules has no pages")
  func violations() async throws {
    let set = try await ProtoSource.descriptors("syntax = \"proto3\"; package a.v1; message Silent {}")
    #expect {
      try Documentation(set, examples: [])
    } throws: { "\($0)".contains("a.v1.Silent: has no comment") }
  }

  @Test("a malformed example is refused by its name", arguments: ["Lend.json", "a.v1.S/Lend.txt", "a/b/c.json"])
  func names(_ path: String) {
    #expect(throws: GeneratorError.self) { try Example(path: path, text: "{}") }
  }
}
