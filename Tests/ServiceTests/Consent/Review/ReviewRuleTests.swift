import Base
import ConsentContract
import ConsentDomain
import Testing
import Wire

/// ResearchKit's rules for the review document and the PDF.
@Suite("Review and signature page")
struct ReviewRuleTests {
  private func composer(
    locale: String = "en", _ change: (inout DocumentSettings, inout DocumentText) -> Void = { _, _ in }
  ) throws -> ReviewComposer {
    var settings = Example.settings()
    settings.sections = [DocumentSection(id: "a", type: .privacy), DocumentSection(id: "b", type: .onlyInDocument)]
    settings.purposes = []
    var text = Example.text("en")
    text.reviewText = ""
    text.sections = [SectionText(sectionID: "a", content: "x"), SectionText(sectionID: "b", content: "y")]
    change(&settings, &text)
    return ReviewComposer(
      settings: settings, text: text, texts: ScreenTexts(locale: try .of(locale), standIn: try .of("en")))
  }

  private let signed = RecordSignature(
    signatureID: "participant", role: .participant, printedName: "Ada\u{A0}Lovelace", strokesHash: "ab",
    signedAt: Timestamp(Example.now),
    deviceTime: DeviceTime(at: Timestamp(Example.now), utcOffsetMinutes: 60))

  private func inEnglish(_ html: String) -> String { "<div lang=\"en\" dir=\"ltr\">\(html)</div>" }

  @Test("the language and direction that the text has, whatever was asked for; our own words beside it in its language")
  func language() throws {
    let hebrew = try composer(locale: "he") { _, text in text.reviewText = "Please read." }.review()
    #expect(hebrew.html.hasPrefix("<div lang=\"en\" dir=\"ltr\"><h1>Review</h1>"))
    let arabic = try composer { _, text in (text.locale, text.reviewText) = ("ar", "اقرأ") }.review()
    #expect(arabic.html.hasPrefix("<div lang=\"ar\" dir=\"rtl\"><h1>المراجعة</h1>"))
    let klingon = try composer { _, text in (text.locale, text.reviewText) = ("tlh", "yIlaD") }.review()
    #expect(klingon.html.hasPrefix("<div lang=\"tlh\" dir=\"ltr\"><h1 lang=\"en\" dir=\"ltr\">Review</h1>"))
  }

  @Test("the document title as h3, and an h4 and a paragraph per section")
  func shape() throws {
    let review = try composer().review()
    #expect(review.html == inEnglish("<h3>Heart study (en)</h3><h4>Privacy</h4><p>x</p><p>y</p>"))
    #expect(review.hash == Digest(of: Array(review.html.utf8)).hex)
    #expect(review.sections.map(\.heading) == ["Privacy", ""])
  }

  @Test("an h4 with formalTitle, else title, else nothing")
  func headings() throws {
    let review = try composer { _, text in
      text.sections[0].title = "Title"
      text.sections[0].formalTitle = "Formal <title>"
      text.sections[1].title = "Only here"
    }.review()
    #expect(review.html.contains("<h4>Formal &lt;title&gt;</h4>"))
    #expect(review.html.contains("<h4>Only here</h4>"))
    #expect(!review.html.contains("<h4>Title</h4>"))
  }

  @Test("a paragraph with htmlContent, else the escaped content, else nothing")
  func bodies() throws {
    let review = try composer { settings, text in
      text.sections[0].htmlContent = "<em>html</em>"
      text.sections[1].content = "a & b < c > d ' \" e\nf"
      settings.sections.append(DocumentSection(id: "c", type: .custom))
      text.sections.append(SectionText(sectionID: "c", title: "Empty"))
    }.review()
    #expect(review.html.contains("<p><em>html</em></p>"))
    #expect(review.html.contains("<p>a &amp; b &lt; c &gt; d &#39; &quot; e<br/>f</p>"))
    #expect(review.html.hasSuffix("<h4>Empty</h4></div>"))
  }

  @Test("HTML that cannot stand in a paragraph does not break out of one")
  func blocks() throws {
    let review = try composer { _, text in text.sections[0].htmlContent = "<ul><li>one</li></ul>" }.review()
    #expect(review.html.contains("<div><ul><li>one</li></ul></div>"))
  }

  @Test("every section that is not omitted from the document")
  func omitted() throws {
    let review = try composer { settings, _ in settings.sections[0].omitFromDocument = true }.review()
    #expect(review.html == inEnglish("<h3>Heart study (en)</h3><p>y</p>"))
  }

  @Test("an optional header, then the separate review content in place of title and sections")
  func separate() throws {
    let review = try composer { _, text in
      text.reviewText = "Please read."
      text.htmlReviewContent = "<p>Short form.</p>"
    }.review()
    #expect(review.html == inEnglish("<h1>Review</h1><p>Please read.</p><p>Short form.</p>"))
    #expect(review.sections.isEmpty && review.separateHTML == "<p>Short form.</p>")
  }

  @Test("in the end what agreeing includes, whatever the document consists of; our own words in its language")
  func included() throws {
    func html(_ locale: String, isSeparate: Bool = false) throws -> String {
      try composer { settings, text in
        settings.purposes = [
          ConsentPurpose(code: "walk"), ConsentPurpose(code: "call", optional: true), ConsentPurpose(code: "keep"),
        ]
        text.locale = locale
        text.purposes = [PurposeText(purposeCode: "walk", title: "Walking < 1 km")]
        if isSeparate { text.htmlReviewContent = "<p>Short form.</p>" }
      }.review().html
    }
    let list = "<ul><li>Walking &lt; 1 km</li><li>keep</li></ul></div>"
    let english = "<h4>If you agree, you say yes to:</h4>\(list)"
    #expect(try html("en").hasSuffix("<p>y</p>\(english)"))
    #expect(try html("en", isSeparate: true).hasSuffix("<p>Short form.</p>\(english)"))
    #expect(try html("de").hasSuffix("<h4>Wenn Sie zustimmen, sagen Sie Ja zu:</h4>\(list)"))
    let klingon = "<h4><span lang=\"en\" dir=\"ltr\">If you agree, you say yes to:</span></h4>"
    #expect(try html("tlh").hasSuffix(klingon + list))
  }

  @Test("the review never shows signatures")
  func noSignatures() throws {
    let review = try composer().review()
    #expect(review.signaturePage == nil && !review.html.contains("Participant"))
  }

  @Test(
    "the document always has the signature page, also when separate review content is used", arguments: [false, true])
  func signaturePage(isSeparate: Bool) throws {
    let document = try composer { _, text in
      if isSeparate { text.htmlReviewContent = "<p>Short form.</p>" }
    }.document(signatures: [], typed: [:])
    let page = try #require(document.signaturePage)
    #expect(page.title == "Consent" && page.content == "Signed by:")
    #expect(page.blocks.map(\.signatureID) == ["participant", "investigator"])
  }

  @Test(
    "the image cell if an image is required or present, the name cell if a name is, the date cell if either is shown",
    arguments: [
      (false, false, false, [false, false, false]), (true, false, false, [true, false, true]),
      (false, true, false, [false, true, true]), (true, true, false, [true, true, true]),
      (false, false, true, [true, true, true]),
    ])
  func cells(image: Bool, name: Bool, isSigned: Bool, shown: [Bool]) throws {
    let document = try composer { settings, _ in
      settings.signatures = [
        SignatureDefinition(id: "participant", role: .participant, requiresName: name, requiresImage: image)
      ]
    }.document(signatures: isSigned ? [signed] : [], typed: [:])
    let block = try #require(document.signaturePage?.blocks.first)
    #expect([block.showsImage, block.showsName, block.showsDate] == shown)
  }

  @Test("the page shows the signer's local time with its zone and, when they differ by more than five minutes, both")
  func printedTime() throws {
    #expect(SignaturePageComposer.printedTime(signed) == "2026-03-01 09:30:00 UTC+01:00")
    var late = signed
    late.deviceTime?.at = Timestamp(Example.now + .seconds(-5 * 60))
    #expect(!SignaturePageComposer.printedTime(late).contains("server"))
    late.deviceTime?.at = Timestamp(Example.now + .milliseconds(-5 * 60_000 - 1))
    #expect(
      SignaturePageComposer.printedTime(late)
        == "2026-03-01 09:24:59 UTC+01:00 (device), 2026-03-01 09:30:00 UTC+01:00 (server)")
    let german = ScreenTexts(locale: try .of("de-AT"), standIn: try .of("en"))
    #expect(
      SignaturePageComposer.printedTime(late, in: german)
        == "2026-03-01 09:24:59 UTC+01:00 (Gerät), 2026-03-01 09:30:00 UTC+01:00 (Server)")
  }

  @Test(
    "A4 where the locale is metric, else Letter; 18 points of margin; Page x of y",
    arguments: [
      ("de", PaperSize.a4, "Seite {page} von {pages}"), ("en-US", .letter, "Page {page} of {pages}"),
      ("en-GB", .a4, "Page {page} of {pages}"),
    ])
  func paper(locale: String, paper: PaperSize, footer: String) throws {
    let review = try composer(locale: locale).review()
    #expect(review.paper == paper && review.marginPt == 45 && review.footer == footer)
  }
}
