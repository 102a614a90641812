import Base
import Generator
import TestSupport
import Testing

/// docs/consent.md says which verbs the methods of consent begin with, docs/contract.md which lists have no pages.
@Suite("Names of methods") struct MethodNameTests {
  private func files() throws -> [FileDescriptor] {
    let set = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    return set.files.filter { $0.package.hasPrefix("assent.") }
  }

  private func services(of package: String) throws -> [ServiceType] {
    try files().filter { $0.package == package }.flatMap(\.services)
  }

  /// What stands in backticks in the first cells of the table that has this first line.
  private func words(of document: String, table header: String) -> [String] {
    let lines = SourceTree.text(of: document).split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: Substring(header)) else { return [] }
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.flatMap { row -> [String] in
      let cell = row.split(separator: "|").first ?? ""
      return cell.split(separator: "`").map { String(trimming($0)) }.filter { !["", ","].contains($0) }
    }
  }

  @Test("docs/consent.md names every service of the package")
  func services() throws {
    let named = words(of: "docs/consent.md", table: "| service | about |")
    #expect(try named.sorted() == services(of: "assent.consent.v1").map(\.name).sorted())
  }

  @Test("every method of consent begins with a verb of the table, and the table has no other")
  func verbs() throws {
    let verbs = words(of: "docs/consent.md", table: "| verb | what it does | repeated |")
    var unused = Set(verbs)
    #expect(unused.count == verbs.count && verbs.count > 30, "a verb is listed twice, or the table was not found")
    for method in try services(of: "assent.consent.v1").flatMap(\.methods) {
      let verb = verbs.filter { begins(method.name, with: $0) }.max { $0.count < $1.count }
      #expect(verb != nil, "docs/consent.md lists no verb of \(method.name)")
      verb.map { _ = unused.remove($0) }
    }
    #expect(unused.isEmpty, "no method has these verbs: \(unused.sorted())")
    #expect(begins("ListEvents", with: "List") && !begins("Listen", with: "List"))
  }

  /// Whether the verb ends where the next word begins.
  private func begins(_ method: String, with verb: String) -> Bool {
    method.hasPrefix(verb) && method.dropFirst(verb.count).first?.isUppercase == true
  }

  @Test("every list has pages, or docs/contract.md says why not")
  func lists() throws {
    let files = try files()
    let messages = Dictionary(uniqueKeysWithValues: files.flatMap(\.messages).map { ($0.fullName, $0) })
    func fields(_ name: String) -> Set<String> { Set(messages[name]?.fields.map(\.name) ?? []) }
    var exceptions = Set(words(of: "docs/contract.md", table: "| method | why |"))
    var count = 0
    for method in files.flatMap(\.services).flatMap(\.methods) where begins(method.name, with: "List") {
      let hasPages =
        fields(method.inputType).isSuperset(of: ["page_size", "page_token"])
        && fields(method.outputType).contains("next_page_token")
      if hasPages { count += 1 }
      let isException = exceptions.remove(method.name) != nil
      #expect(
        hasPages != isException,
        "\(method.name) \(hasPages ? "has pages although docs/contract.md says not" : "has no pages")")
    }
    #expect(count > 20)
    #expect(exceptions.isEmpty, "there are no such lists: \(exceptions.sorted())")
  }
}
