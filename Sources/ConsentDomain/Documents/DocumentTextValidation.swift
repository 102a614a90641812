internal import Base
internal import ConsentContract

/// Checks the texts of one locale against the settings: none may be missing, and each must belong to something in the
/// settings.
struct DocumentTextValidation {
  let settings: DocumentSettings
  /// Hashes of the assets that are stored.
  let assets: Set<String>

  func check(_ text: DocumentText, into list: inout ProblemList) {
    let place = "texts[\(text.locale.shortened)]"
    require(text.title, "\(place).title", atMost: 500, into: &list)
    checkSections(text, place, into: &list)
    checkSignatures(text, place, into: &list)
    checkQuestions(text, place, into: &list)
    checkPurposes(text, place, into: &list)
    checkSharing(text, place, into: &list)
    checkFile(text, place, into: &list)
    checkPlaceholders(text, place, into: &list)
    for (field, html) in text.htmlFields { list.checkImages(in: html, "\(place).\(field)", stored: assets) }
    for (name, value) in [
      ("review_text", text.reviewText), ("reason_for_consent", text.reasonForConsent),
      ("signature_page_title", text.signaturePageTitle), ("signature_page_content", text.signaturePageContent),
      ("guardian_authority", text.guardianAuthority), ("failed_text", text.failedText), ("withdrawal", text.withdrawal),
    ] { list.checkLength(value, atMost: 10_000, "\(place).\(name)") }
    checkList(text.rights, "\(place).rights", into: &list)
    if trimmed(text.withdrawal).isEmpty {
      list.warning("missing_withdrawal", "\(place).withdrawal", "is empty: receipts do not say how to withdraw")
    }
    if text.rights.isEmpty {
      list.warning("missing_rights", "\(place).rights", "is empty: receipts name no rights")
    }
    list.checkLength(text.htmlReviewContent, atMost: MarkupBounds.longest, "\(place).html_review_content")
  }

  /// Placeholders are filled in where people read; what is recorded with names of its own, and what receipts repeat,
  /// has none.
  private func checkPlaceholders(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    var rest = text
    var places: [(field: String, text: String)] = []
    rest.changePlaces { field, text, _ in
      places.append((field, text))
      text = ""
    }
    for (field, text) in places { list.checkPlaceholders(in: text, "\(place).\(field)", allowed: Placeholder.allCases) }
    let items = [
      ("signatures", rest.signatureItems), ("questions", rest.questionItems), ("purposes", rest.purposeItems),
    ]
    let others =
      rest.facts.map { ($0.field, $0.words) }
      + items.flatMap { name, items in
        items.flatMap { item in item.facts.map { ("\(name)[\(item.name.shortened)].\($0.field)", $0.words) } }
      }
    for (field, words) in others {
      for placeholder in Placeholder.allCases where words.contains("{\(placeholder.rawValue)}") {
        list.error(
          "placeholder_not_here", "\(place).\(field)", "has {\(placeholder.rawValue)}, which is not filled in there")
      }
    }
  }

  private func require(_ value: String, _ field: String, atMost bound: Int, into list: inout ProblemList) {
    if trimmed(value).isEmpty { list.error("missing_translation", field, "is empty") }
    list.checkLength(value, atMost: bound, field)
  }

  private func checkSections(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    checkNames(text.sections.map(\.sectionID), settings.sections.map(\.id), "\(place).sections", into: &list)
    let texts = text.sections.keyed(by: \.sectionID)
    var length = 0
    for section in settings.sections {
      let field = "\(place).sections[\(section.id.shortened)]"
      let words = texts[section.id] ?? SectionText()
      if section.type == .custom, trimmed(words.title).isEmpty {
        list.error("missing_translation", "\(field).title", "is empty; a custom section has no default title")
      }
      list.checkLength(words.title, atMost: 500, "\(field).title")
      list.checkLength(words.formalTitle, atMost: 500, "\(field).formal_title")
      list.checkLength(words.summary, atMost: 2000, "\(field).summary")
      list.checkLength(words.content, atMost: 100_000, "\(field).content")
      list.checkLength(words.htmlContent, atMost: MarkupBounds.longest, "\(field).html_content")
      if section.type.isVisual, trimmed(words.summary).isEmpty {
        list.error("missing_translation", "\(field).summary", "is empty; the visual screen shows it")
      }
      let standsInPlace = text.file != nil || !text.htmlReviewContent.isEmpty
      if !section.omitFromDocument, !standsInPlace, words.content.isEmpty, words.htmlContent.isEmpty {
        list.error(
          "missing_translation", "\(field).content", "is empty, and so is html_content; the document needs one")
      }
      if !section.imageAsset.isEmpty || !section.animationAsset.isEmpty, trimmed(words.imageAlt).isEmpty {
        list.error(
          "missing_alt_text", "\(field).image_alt", "is empty; an image needs words for people who cannot see it")
      }
      if !section.animationAsset.isEmpty, trimmed(words.animationCaption).isEmpty {
        list.error(
          "missing_caption", "\(field).animation_caption", "is empty; an animation needs a caption or transcript")
      }
      length += words.htmlContent.isEmpty ? words.content.utf8.count : words.htmlContent.utf8.count
    }
    if length > Self.longestReview {
      let message = "have \(length) bytes of content altogether; at most \(Self.longestReview) are allowed"
      list.error("too_long", "\(place).sections", message)
    }
  }

  /// The limit for the content of all sections together: every screen of a review has all of it.
  private static let longestReview = 4 << 20

  private func checkSignatures(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    let names = settings.signatures.map(\.id)
    checkNames(text.signatures.map(\.signatureID), names, "\(place).signatures", into: &list)
    let texts = text.signatures.keyed(by: \.signatureID)
    for name in names {
      let field = "\(place).signatures[\(name.shortened)]"
      let words = texts[name] ?? SignatureText()
      require(words.title, "\(field).title", atMost: 500, into: &list)
      list.checkLength(words.meaning, atMost: 2000, "\(field).meaning")
      if trimmed(words.meaning).isEmpty {
        let message = "is empty; a signed document states what the signature means (21 CFR 11.50)"
        list.error("missing_translation", "\(field).meaning", message)
      }
    }
  }

  private func checkQuestions(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    let questions = settings.comprehension?.questions ?? []
    checkNames(text.questions.map(\.questionID), questions.map(\.id), "\(place).questions", into: &list)
    let texts = text.questions.keyed(by: \.questionID)
    for question in questions {
      let field = "\(place).questions[\(question.id.shortened)]"
      let words = texts[question.id] ?? QuestionText()
      require(words.prompt, "\(field).prompt", atMost: 2000, into: &list)
      let names = question.choices.map(\.id)
      checkNames(words.choices.map(\.choiceID), names, "\(field).choices", into: &list)
      let choices = words.choices.keyed(by: \.choiceID)
      for name in names {
        let words = choices[name]?.text ?? ""
        require(words, "\(field).choices[\(name.shortened)].text", atMost: 2000, into: &list)
      }
    }
  }

  private func checkPurposes(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    let codes = settings.purposes.map(\.code)
    checkNames(text.purposes.map(\.purposeCode), codes, "\(place).purposes", into: &list)
    let texts = text.purposes.keyed(by: \.purposeCode)
    for code in codes {
      let words = texts[code] ?? PurposeText()
      let field = "\(place).purposes[\(code.shortened)]"
      require(words.title, "\(field).title", atMost: 500, into: &list)
      list.checkLength(words.description, atMost: 10_000, "\(field).description")
      list.checkLength(words.retention, atMost: 2000, "\(field).retention")
      checkList(words.dataCategories, "\(field).data_categories", into: &list)
      checkList(words.recipients, "\(field).recipients", into: &list)
    }
  }

  private func checkList(_ words: [String], _ field: String, into list: inout ProblemList) {
    guard words.count <= Self.mostEntries else {
      list.error("too_many", field, "has \(words.count) entries; at most \(Self.mostEntries) are kept")
      return
    }
    for (number, word) in words.enumerated() { require(word, "\(field)[\(number)]", atMost: 2000, into: &list) }
  }

  private static let mostEntries = 64

  /// Sharing needs three non-empty texts.
  private func checkSharing(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    guard settings.offersSharing else { return }
    let sharing = text.sharing ?? SharingText()
    require(sharing.investigatorShort, "\(place).sharing.investigator_short", atMost: 500, into: &list)
    require(sharing.investigatorLong, "\(place).sharing.investigator_long", atMost: 500, into: &list)
    require(sharing.learnMoreHTML, "\(place).sharing.learn_more_html", atMost: 100_000, into: &list)
  }

  /// Checks a file: each of its pages must also have words, for people who cannot see its image.
  private func checkFile(_ text: DocumentText, _ place: String, into list: inout ProblemList) {
    guard let file = text.file else { return }
    let field = "\(place).file"
    if file.pages.isEmpty {
      let message = "names '\(file.asset.shortened)', which is no PDF file that was stored before the draft"
      list.error("unknown_asset", "\(field).asset", message)
    }
    if file.pageTexts.count > file.pages.count, !file.pages.isEmpty {
      let message = "has \(file.pageTexts.count) entries; the file has \(file.pages.count) pages"
      list.error("too_many", "\(field).page_texts", message)
    }
    for (index, words) in file.pageTexts.enumerated() {
      list.checkLength(words, atMost: 20_000, "\(field).page_texts[\(index)]")
    }
    for (index, page) in file.pages.enumerated() where trimmed(page.text).isEmpty {
      let message = "is empty, and page \(index + 1) has no text of its own; people who cannot see it need its words"
      list.error("missing_alt_text", "\(field).page_texts[\(index)]", message)
    }
    if !text.htmlReviewContent.isEmpty {
      list.error("two_contents", "\(place).html_review_content", "stands beside a file; one of them is the document")
    }
  }

  private func checkNames(_ given: [String], _ known: [String], _ field: String, into list: inout ProblemList) {
    list.checkUnique(given, field)
    let known = Set(known)
    for name in given where !known.contains(name) {
      list.error("unknown_name", "\(field)[\(name.shortened)]", "belongs to nothing in the settings")
    }
  }
}
