import ConsentContract
import ConsentDomain
import PDF
import TestSupport
import Testing

/// Our own words on copies: in the document's language, or marked with the one that they are in.
@Suite("Languages of copies") struct CopyLanguageTests {
  /// An element of a copy: its role, the languages that are stated of it and of what is in it, and whether one is
  /// stated of everything in it.
  private struct Element {
    let role: String
    let languages: Set<String>
    let isForeign: Bool
  }

  private func elements(of locale: String) async throws -> [Element] {
    let world = try await CopyWorld()
    var content = Example.content()
    (content.defaultLocale, content.texts) = (locale, [Example.text(locale)])
    content.texts[0].signaturePageTitle = ""
    try await world.consent.open(content: content)
    let start = StartSessionRequest(flowID: "flow", subjectID: "s1", locale: locale, clientSchema: 2)
    let session = try #require(try await world.consent.app.sessions.startSession(start).session?.sessionID)
    let preview = try await world.consent.app.sessions.previewSignedCopy(PreviewSignedCopyRequest(sessionID: session))
    await world.end()
    let file = try PDFFile(preview.content)
    #expect(try file.catalog()["Lang"]?.text == locale)
    return try file.numbers.compactMap { number in
      guard let element = try file.object(number).dictionary, element["Type"]?.name == "StructElem",
        let role = element["S"]?.name
      else { return nil }
      let kids = try file.resolve(element["K"]).array ?? [element["K"] ?? .null]
      let inside = try kids.compactMap { try file.resolve($0).dictionary?["Lang"]?.text }
      return Element(
        role: role, languages: Set(inside + [element["Lang"]?.text].compactMap(\.self)),
        isForeign: inside.count == kids.count)
    }
  }

  @Test("a document in a language that comes with Assent has no word in another one", arguments: Catalog.languages)
  func known(language: String) async throws {
    let foreign = try await elements(of: language).flatMap(\.languages)
    #expect(foreign == [])
  }

  @Test("in any other one default headings, roles and labels are marked as English")
  func unknown() async throws {
    let elements = try await elements(of: "da")
    #expect(Set(elements.flatMap(\.languages)) == ["en"])
    // All but the section that has a title of its own.
    let headings = elements.filter { $0.role == "H2" }
    #expect(headings.count == 10 && headings.count(where: \.isForeign) == 9, "\(headings)")
    // Of two signers the role with its label, and that they have not signed; and labels beside the rest.
    let lines = elements.filter { $0.role == "P" && !$0.languages.isEmpty }
    #expect(lines.count == 10 && lines.count(where: \.isForeign) == 4, "\(lines)")
  }
}
