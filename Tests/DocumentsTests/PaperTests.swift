import ArchiveKit
import Base
import Documents
import Ink
import InkSamples
import PDF
import Testing

/// Consent documents as files.
@Suite struct PaperTests {
  @Test("the same paper gives the same bytes; another time gives others")
  func deterministic() throws {
    let paper = try SamplePaper.paper()
    let first = try SamplePaper.compose(paper)
    #expect(try PaperComposer().compose(paper) == first)
    var later = paper
    later.created = paper.created + .seconds(1)
    #expect(try SamplePaper.compose(later) != first)
  }

  @Test("a file keeps the rules of PDF/A-2a and PDF/UA-1", arguments: ["en", "ar", "ja", "hi"])
  func rules(language: String) throws {
    #expect(try ArchiveRules.faults(SamplePaper.compose(SamplePaper.paper(language: language))) == [])
  }

  @Test("a file with attachments is PDF/A-3, and its attachments come out whole")
  func attachments() async throws {
    var paper = try SamplePaper.paper()
    paper.attachments = [
      Attachment(
        name: "evidence.json", mediaType: "application/json", description: "Evidence", bytes: Array("{\"a\":1}".utf8),
        relationship: .data)
    ]
    let bytes = try SamplePaper.compose(paper)
    #expect(try ArchiveRules.faults(bytes) == [])
    let folder = try TemporaryFolder()
    try Files.write(bytes, to: folder.file("in.pdf"))
    let said = try await Tool.run("pdfdetach", ["-save", "1", "-o", folder.file("out"), folder.file("in.pdf")])
    #expect(said == "ended with 0\n")
    #expect(try Files.read(folder.file("out")) == Array("{\"a\":1}".utf8))
  }

  @Test("qpdf finds nothing wrong, and every font is embedded as a part")
  func tools() async throws {
    let folder = try TemporaryFolder()
    try Files.write(
      SamplePaper.compose(SamplePaper.paper("<p>Ωμέγα Жук 山田 한국 हिन्दी שלום مرحبا ไทย ☐</p>")),
      to: folder.file("in.pdf"))
    let said = try await Tool.run("qpdf", ["--check", folder.file("in.pdf")])
    #expect(said.hasPrefix("ended with 0\n"), "\(said)")
    #expect(said.contains("No syntax or stream encoding errors"))
    let fonts = try await Tool.run("pdffonts", [folder.file("in.pdf")]).split(separator: "\n").dropFirst(3)
    #expect(fonts.count > 6)
    #expect(fonts.allSatisfy { $0.contains("yes yes yes") }, "\(fonts)")
  }

  @Test("text comes out in the order in which it is read, in every script")
  func text() async throws {
    let text = try await Tool.text(
      SamplePaper.compose(
        SamplePaper.paper(
          SamplePaper.standard + "<p>हिन्दी क्षत्रिय ไทย 日本語 한국어 தமிழ் שלום (עולם) 12 office</p>")))
    var rest = Substring(text)
    for words in [
      "Consent to the Sleep Study", "Welcome", "You may stop at any time; see the page.", "Details", "One", "Two",
      "inner", "Visit", "What", "1", "Blood sample", "हिन्दी क्षत्रिय ไทย 日本語 한국어 தமிழ்", "שלום (עולם", "office",
      "Signatures", "I have read this.", "Participant", "Meaning of the signature: I agree to take part",
      "Printed name: Zoë Müller", "Date and time: 2026-03-01 09:30:00 UTC+01:00", "Investigator",
      "Signature: not signed", "Electronic seal", "https://consent.example.org/v/4f9a8c1b2d3e", "Page 2 of 2",
    ] {
      let found = rest.firstRange(of: words)
      #expect(found != nil, "'\(words)' is missing or out of order in \(text)")
      if let found { rest = rest[found.upperBound...] }
    }
  }

  @Test("the signature page is the last one, also after separate review content")
  func signaturePage() async throws {
    let text = try await Tool.text(
      SamplePaper.compose(SamplePaper.paper(separate: "<h3>Other words</h3><p>Only these.</p>")))
    let pages = text.split(separator: "\u{0C}")
    #expect(pages.count == 2)
    #expect(pages[0].contains("Only these.") && !pages[0].contains("Welcome"))
    #expect(pages[1].contains("Signatures") && pages[1].contains("Zoë Müller"))
  }

  @Test("pages are counted in the language's words and digits")
  func footers() async throws {
    #expect(try await Tool.text(SamplePaper.compose(SamplePaper.paper(language: "de"))).contains("Seite 1 von 2"))
    #expect(try await Tool.text(SamplePaper.compose(SamplePaper.paper(language: "ja"))).contains("1 / 2 ページ"))
    #expect(try await Tool.text(SamplePaper.compose(SamplePaper.paper(language: "ar"))).contains("٢"))
  }

  @Test("our own words say that they are English where a document's language has none", arguments: ["hi", "de"])
  func ownLanguage(language: String) throws {
    let file = try PDFFile(SamplePaper.compose(SamplePaper.paper(language: language)))
    let foreign = try file.numbers.compactMap { try file.object($0).dictionary }.filter {
      $0["Type"]?.name == "StructElem" && $0["Lang"]?.text == "en"
    }
    // Of two signers role, meaning, name and time, below the signatures, the seal; and the pictures' descriptions.
    let spans = foreign.count { $0["S"]?.name == "Span" }
    let figures = foreign.count { $0["S"]?.name == "Figure" }
    #expect(spans == (language == "hi" ? 13 : 0) && figures == (language == "hi" ? 2 : 0), "\(spans), \(figures)")
  }

  @Test("a picture without words is decoration, what stands below one is a caption, and no link is a program")
  func figures() throws {
    var paper = try SamplePaper.paper(
      """
      <figure><img src="asset:a" alt="" width="40"/><figcaption>Below</figcaption></figure>\
      <p><img src="asset:a" alt="A hand" width="40"/></p>\
      <p><a href="javascript:alert(1)">one</a> <a href="MAILTO:a@b.example">two</a></p>
      """)
    paper.drawings["a"] = paper.signaturePage.blocks[0].picture
    let pdf = try SamplePaper.compose(paper)
    let file = try PDFFile(pdf)
    let all = try file.numbers.compactMap { try file.object($0).dictionary }
    let roles = all.filter { $0["Type"]?.name == "StructElem" }.compactMap { $0["S"]?.name }
    // The hand, a signature, and the code that leads to where the document is verified.
    #expect(roles.count { $0 == "Figure" } == 3 && roles.count { $0 == "Caption" } == 1, "\(roles)")
    let addresses = all.compactMap { $0["A"]?.dictionary?["URI"]?.text }
    #expect(addresses.contains("MAILTO:a@b.example"), "\(addresses)")
    #expect(!addresses.contains { $0.contains("javascript") }, "\(addresses)")
    #expect(try ArchiveRules.faults(pdf) == [])
  }

  @Test("what stands in another language than the document says so, and what is in its own does not")
  func foreignWords() throws {
    var paper = try SamplePaper.paper(language: "de")
    paper.sections[0].headingLanguage = "fr"
    paper.signaturePage.titleLanguage = "es"
    paper.signaturePage.blocks[0].roleLanguage = "ja"
    paper.signaturePage.blocks[0].timeLanguage = "ar"
    let file = try PDFFile(SamplePaper.compose(paper))
    let languages = try file.numbers.compactMap { number -> String? in
      let element = try file.object(number).dictionary
      return element?["Type"]?.name == "StructElem" ? element?["Lang"]?.text : nil
    }
    #expect(languages.sorted() == ["ar", "es", "fr", "ja"])
  }

  @Test(
    "our own Chinese is in simplified characters, and says so among traditional ones",
    arguments: [("zh-TW", true), ("zh-Hant", true), ("zh-Hans-HK", false), ("zh-CN", false), ("zh", false)])
  func chinese(language: String, isMarked: Bool) throws {
    let file = try PDFFile(SamplePaper.compose(SamplePaper.paper(language: language)))
    let marked = try file.numbers.contains { number in
      let element = try file.object(number).dictionary
      return element?["Type"]?.name == "StructElem" && element?["Lang"]?.text == "zh-Hans"
    }
    #expect(marked == isMarked)
  }

  @Test("a date's numbers keep their places among letters from right to left")
  func dates() async throws {
    let text = try await Tool.text(SamplePaper.compose(SamplePaper.paper(language: "ar")))
    #expect(text.contains("2026-03-01 09:30:00 UTC+01:00"), "\(text)")
  }

  @Test("a page has the size of its paper")
  func sizes() throws {
    for (size, wanted) in [(ConsentPaper.Size.a4, 595_276), (.letter, 612_000)] {
      let file = try PDFFile(SamplePaper.compose(SamplePaper.paper(size: size)))
      let page = try #require(
        try file.numbers.lazy.compactMap { number in
          let dictionary = try file.object(number).dictionary
          return dictionary?["Type"]?.name == "Page" ? dictionary : nil
        }.first)
      let width = page["MediaBox"]?.array?[2]
      #expect(width == .real(thousandths: wanted) || width == .integer(wanted / 1000))
    }
  }

  @Test("a character that no font has is an error that lists all of them")
  func unknownCharacters() throws {
    let paper = try SamplePaper.paper("<p>a \u{1DF00} b \u{10A60}\u{E000}</p>")
    let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(paper) }
    #expect(error == .unknownCharacters(["\u{1DF00}", "\u{10A60}", "\u{E000}"]))
    #expect(error?.description.contains("U+1DF00") == true)
  }

  @Test("markup that is not clean, and pictures that were not given, are refused")
  func refused() throws {
    for (markup, words) in [
      ("<p>open", "section 1 leaves <p> open"), ("<p>a</b></p>", "section 1 closes <b>"),
      ("a & b", "section 1 has an '&'"), ("<img src=\"asset:ab\">", "the document shows picture ab"),
    ] {
      let paper = try SamplePaper.paper(markup)
      let error = #expect(throws: DocumentError.self) { try SamplePaper.compose(paper) }
      #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }
  }

  @Test("a picture is shown with its description, from PNG of any kind")
  func pictures() async throws {
    let folder = try TemporaryFolder()
    for depth in BitDepth.allCases {
      for paper in [Color.white, nil] {
        var options = RenderOptions()
        options.format = .png(depth)
        options.paper = paper
        let png = try Renderer().render(SampleSignature.all[5].ink, options)
        let image = try #require(PDFImage(png: png.bytes))
        #expect(image.width == png.width && image.height == png.height)
        #expect(PDFImage(png: Array(png.bytes.dropLast(40))) == nil)
        var given = try SamplePaper.paper("<p>a</p><img src=\"asset:abc\" alt=\"A hand\">")
        given.pictures["abc"] = image
        let bytes = try SamplePaper.compose(given)
        #expect(try ArchiveRules.faults(bytes) == [])
        try Files.write(bytes, to: folder.file("in.pdf"))
        let said = try await Tool.run("pdfimages", ["-png", folder.file("in.pdf"), folder.file("out")])
        #expect(said == "ended with 0\n")
        // The same pixels come out again, on white paper.
        let again = try #require(PDFImage(png: Files.read(folder.file("out-000.png"))))
        #expect(again.width == png.width)
      }
    }
  }

  @Test("a heading stays with its text, and long tables and words go on over pages")
  func breaks() async throws {
    let filler = String(repeating: "<p>words</p>", count: 33)
    for count in 30...42 {
      let markup = String(repeating: "<p>words</p>", count: count) + "<h5>A heading</h5><p>its text</p>" + filler
      let pages = try await Tool.text(SamplePaper.compose(SamplePaper.paper(markup))).split(separator: "\u{0C}")
      let page = try #require(pages.first { $0.contains("A heading") })
      #expect(page.contains("its text"), "\(count) paragraphs")
    }
    let word = String(repeating: "w", count: 3000)
    let cell = "<table><tr><td>\(word)</td><td>\(filler)\(filler)\(filler)</td></tr></table>"
    let bytes = try SamplePaper.compose(SamplePaper.paper(cell))
    #expect(try ArchiveRules.faults(bytes) == [])
    let letters = try await Tool.text(bytes).count { $0 == "w" }
    #expect(letters >= 3000 + 99)
  }
}
