internal import Base
package import ConsentContract

/// Composes what a person reads and agrees to, by ResearchKit's rules, as HTML and as structure.
package struct ReviewComposer {
  private let settings: DocumentSettings
  private let text: DocumentText
  private let sectionTexts: [String: SectionText]
  private let texts: ScreenTexts
  /// Our own texts that stand inside the document's, in its language.
  private let ownTexts: ScreenTexts

  package init(settings: DocumentSettings, text: DocumentText, texts: ScreenTexts) {
    self.settings = settings
    self.text = text
    sectionTexts = text.sections.keyed(by: \.sectionID)
    self.texts = texts
    ownTexts = texts.speaking(text.locale)
  }

  /// The review: an optional header; then the file or the separate review content if there is one, else the title and
  /// every section that is not omitted; then what agreeing includes. It never shows signatures.
  package func review(withHeader: Bool = true) -> ReviewDocument {
    let separate = text.file.map(pages) ?? text.htmlReviewContent
    let sections = separate.isEmpty ? reviewSections() : []
    var html = withHeader ? header() : ""
    html += (separate.isEmpty ? body(sections) : separate) + included()
    html = LanguageMarkup.block(html, in: text.locale)
    let locale = texts.locale
    return ReviewDocument(
      locale: text.locale, rightToLeft: LocaleTag(text.locale)?.isRightToLeft ?? false, title: text.title, html: html,
      hash: Digest(of: Array(html.utf8)).hex, sections: sections, separateHTML: separate,
      paper: locale.isMetric ? .a4 : .letter, marginPt: 45, footer: texts[.footer])
  }

  /// The same without the header, and then always the signature page, also when separate review content is used.
  package func document(signatures: [RecordSignature], typed: [String: String]) -> ReviewDocument {
    var document = review(withHeader: false)
    document.signaturePage = SignaturePageComposer(settings: settings, text: text, texts: texts)
      .page(signatures: signatures, typed: typed)
    return document
  }

  /// The pages of a file, each with what it says for those who cannot see it, and the file's hash in the end: so the
  /// hash of this covers the file and all that was shown of it.
  private func pages(of file: PagedFile) -> String {
    let pages = file.pages.map { page in
      "<figure><img src=\"asset:\(page.imageAsset)\" alt=\"\(MarkupText.escaped(page.text))\" width=\"\(page.width)\""
        + " height=\"\(page.height)\"/></figure>"
    }
    return "<h3>\(MarkupText.escaped(text.title))</h3>\(pages.joined())"
      + "<p><small>PDF · SHA-256 <code>\(MarkupText.escaped(file.asset))</code></small></p>"
  }

  /// What agreeing says yes to. It stands in what is read and hashed, so nobody agrees to it without having been told.
  private func included() -> String {
    let titles = text.titlesOfRequiredPurposes(settings)
    guard !titles.isEmpty else { return "" }
    let items = titles.map { "<li>\(MarkupText.escaped($0))</li>" }
    return "<h4>\(OwnMarkup(texts, in: text.locale).said(.agreeingIncludes))</h4><ul>\(items.joined())</ul>"
  }

  private func header() -> String {
    guard !text.reviewText.isEmpty else { return "" }
    let title = ownTexts.found(.reviewTitle)
    let language = LanguageMarkup.attributes(title.locale, inside: text.locale)
    return "<h1\(language)>\(MarkupText.escaped(title.text))</h1><p>\(Self.paragraphs(text.reviewText))</p>"
  }

  private func reviewSections() -> [ReviewSection] {
    settings.sections.filter { !$0.omitFromDocument }.map { section in
      let words = sectionTexts[section.id] ?? SectionText()
      let heading = words.formalTitle.isEmpty ? words.shownTitle(section.type, ownTexts) : words.formalTitle
      let html = words.htmlContent.isEmpty ? Self.paragraphs(words.content) : words.htmlContent
      return ReviewSection(sectionID: section.id, type: section.type, heading: heading, html: html)
    }
  }

  private func body(_ sections: [ReviewSection]) -> String {
    var html = "<h3>\(MarkupText.escaped(text.title))</h3>"
    for section in sections {
      let language = LanguageMarkup.attributes(headingLanguage(of: section), inside: text.locale)
      if !section.heading.isEmpty { html += "<h4\(language)>\(MarkupText.escaped(section.heading))</h4>" }
      if !section.html.isEmpty { html += Self.wrapped(section.html) }
    }
    return html
  }

  /// The language of a section's heading: the document's, unless only another one has our own.
  package func headingLanguage(of section: ReviewSection) -> String {
    let words = sectionTexts[section.sectionID] ?? SectionText()
    guard words.formalTitle.isEmpty else { return text.locale }
    return words.titleLanguage(section.type, ownTexts, of: text.locale)
  }

  /// A paragraph, if the content is allowed in one: lists and tables are not, and would end it.
  private static func wrapped(_ html: String) -> String {
    // By bytes: a search for a text compares characters, and took a quarter of the time that a copy takes.
    let afterBrackets = html.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst()
    let hasBlock = afterBrackets.contains { rest in
      let name = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: " ") }
      return name.count < rest.count && blocks.contains(Substring(name))
    }
    let element = hasBlock ? "div" : "p"
    return "<\(element)>\(html)</\(element)>"
  }

  private static let blocks: Set<Substring> = [
    "p", "ul", "ol", "dl", "table", "h1", "h2", "h3", "h4", "h5", "h6", "div", "blockquote", "pre", "section", "figure",
    "hr", "address",
  ]

  /// Plain text as HTML: the five special characters escaped, line ends as `<br/>`.
  package static func paragraphs(_ text: String) -> String {
    MarkupText.escaped(text).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br/>")
  }
}
