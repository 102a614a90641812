internal import Base
package import ConsentContract
package import Refusals

/// Cleans all HTML in a document or a flow, and all text that becomes HTML, before it is stored.
package struct MarkupCleaner {
  /// At most this many removals are reported over all texts.
  package static let mostReported = 1_000

  package private(set) var removed: [SanitizerRemoval] = []
  private let sanitizer = Sanitizer()
  private var budget: MarkupBudget

  /// - Parameter budget: bounds the work of reading all texts of the call.
  package init(budget: MarkupBudget = MarkupBudget()) {
    self.budget = budget
  }

  /// Whether the work was refused only because the budget is a light one.
  package var wantsMore: Bool { budget.wantsMore }

  /// The asset in the form in which it is stored; a drawing is cleaned.
  package mutating func accept(kind: AssetKind, data: [UInt8], _ field: String) throws(Refusal) -> ConsentAsset {
    let (asset, removed) = try AssetRules.accepted(kind: kind, data: data, field, &budget)
    report(removed)
    return asset
  }

  /// The assets of a file as they are stored; throws if a stated hash is not that of the cleaned data.
  package mutating func accept(_ assets: [ConsentAsset], _ field: String) throws(Refusal) -> [ConsentAsset] {
    try AssetRules.checkTotal(assets, field)
    var accepted: [ConsentAsset] = []
    for (index, asset) in assets.enumerated() {
      let place = "\(field)[\(index)]"
      let stored = try accept(kind: asset.kind, data: asset.data, place)
      guard asset.hash.isEmpty || stored.hash == asset.hash else {
        let message = "\(place).hash is not the hash of its data, \(stored.hash)"
        throw Refusal(.invalid, "asset_hash_differs", field: "\(place).hash", message)
      }
      accepted.append(stored)
    }
    return accepted
  }

  /// Cleans every text. Markdown is turned into HTML, and stored beside it for its author.
  package mutating func clean(_ content: DocumentContent) throws(Refusal) -> DocumentContent {
    try AuthoringBounds.check(content)
    var content = content
    for index in content.texts.indices { content.texts[index] = try clean(content.texts[index]) }
    return content
  }

  package mutating func clean(_ text: DocumentText) throws(Refusal) -> DocumentText {
    try AuthoringBounds.check(text)
    var text = text
    let place = "texts[\(text.locale.shortened)]"
    if let locale = LocaleTag(text.locale) { text.locale = locale.text }
    for index in text.sections.indices {
      let name = "\(place).sections[\(text.sections[index].sectionID.shortened)]"
      let markdown = text.sections[index].markdownContent
      if !markdown.isEmpty {
        let html = try Self.read("\(name).markdown_content") { () throws(MarkupError) -> String in
          try budget.spend(onMarkdown: markdown)
          return try Markdown.html(markdown)
        }
        text.sections[index].htmlContent = try clean(html, "\(name).markdown_content")
      } else {
        text.sections[index].htmlContent = try clean(text.sections[index].htmlContent, "\(name).html_content")
      }
    }
    text.htmlReviewContent = try clean(text.htmlReviewContent, "\(place).html_review_content")
    if let sharing = text.sharing {
      text.sharing?.learnMoreHTML = try clean(sharing.learnMoreHTML, "\(place).sharing.learn_more_html")
    }
    return text
  }

  package mutating func clean(_ definition: FlowDefinition) throws(Refusal) -> FlowDefinition {
    try AuthoringBounds.check(definition)
    var definition = definition
    for index in definition.steps.indices {
      let place = "steps[\(definition.steps[index].id.shortened)]"
      switch definition.steps[index].step {
      case .form(var form):
        for page in form.pages.indices {
          form.pages[page].learnMoreHTML =
            try clean(form.pages[page].learnMoreHTML, "\(place).form.pages[\(page)].learn_more_html")
        }
        definition.steps[index].step = .form(form)
      case .instruction(var instruction):
        instruction.learnMoreHTML =
          try clean(instruction.learnMoreHTML, "\(place).instruction.learn_more_html")
        definition.steps[index].step = .instruction(instruction)
      default:
        break
      }
    }
    return definition
  }

  private mutating func clean(_ text: LocalizedText?, _ field: String) throws(Refusal) -> LocalizedText? {
    guard var text else { return nil }
    for index in text.translations.indices {
      let (locale, html) = (text.translations[index].locale, text.translations[index].text)
      text.translations[index].text = try clean(html, "\(field)[\(locale.shortened)]")
    }
    return text
  }

  /// - Parameter field: evaluated only if there is HTML, since most texts have none.
  package mutating func clean(_ html: String, _ field: @autoclosure () -> String) throws(Refusal) -> String {
    guard !html.isEmpty else { return "" }
    let name = field()
    let result = try Self.read(name) { () throws(MarkupError) in try sanitizer.sanitize(html, &budget) }
    report(result.removed.map { SanitizerRemoval(field: name, what: $0.what, reason: $0.reason) })
    return result.markup
  }

  private mutating func report(_ more: [SanitizerRemoval]) {
    removed += more.prefix(Self.mostReported - removed.count)
  }

  private static func read<Value>(_ field: String, _ body: () throws(MarkupError) -> Value) throws(Refusal) -> Value {
    do throws(MarkupError) { return try body() } catch { throw Refusal(error, in: field) }
  }
}

extension Refusal {
  init(_ error: MarkupError, in field: String) {
    let kind: Kind = if case .stopped = error { .exhausted } else { .invalid }
    self.init(kind, "markup_out_of_bounds", field: field, "\(field) \(error.message)")
  }
}
