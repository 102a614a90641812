package import Wire

/// Says what changed between two versions, in the order of the document.
package struct DocumentDiff {
  private var changes: [DocumentChange] = []

  package static func changes(from before: DocumentContent, to after: DocumentContent) -> [DocumentChange] {
    var diff = DocumentDiff()
    diff.compare(before, after)
    return diff.changes
  }

  private static let longestShown = 200

  private mutating func compare(_ before: DocumentContent, _ after: DocumentContent) {
    note("default_locale", before.defaultLocale, after.defaultLocale)
    let (old, new) = (before.settings ?? DocumentSettings(), after.settings ?? DocumentSettings())
    compareList("settings.sections", old.sections, new.sections, by: \.id)
    compareList("settings.signatures", old.signatures, new.signatures, by: \.id)
    compareList("settings.purposes", old.purposes, new.purposes, by: \.code)
    note("settings.comprehension", described(old.comprehension), described(new.comprehension))
    note("settings.age", described(old.age), described(new.age))
    note("settings.ethics", described(old.ethics), described(new.ethics))
    note("settings.validity", described(old.validity), described(new.validity))
    note("settings.reconsent", "\(old.reconsent) \(old.reconsentByMs)", "\(new.reconsent) \(new.reconsentByMs)")
    note("settings.in_force_from", "\(old.inForceFrom)", "\(new.inForceFrom)")
    note("settings.without_scroll_gate", "\(old.withoutScrollGate)", "\(new.withoutScrollGate)")
    note("settings.offers_sharing", "\(old.offersSharing)", "\(new.offersSharing)")
    for text in after.texts {
      let place = "texts[\(text.locale)]"
      guard let earlier = before.texts.first(where: { $0.locale == text.locale }) else {
        changes.append(DocumentChange(kind: .added, field: place, after: shown(text.title)))
        continue
      }
      compare(earlier, text, place)
    }
    for text in before.texts where !after.texts.contains(where: { $0.locale == text.locale }) {
      changes.append(DocumentChange(kind: .removed, field: "texts[\(text.locale)]", before: shown(text.title)))
    }
  }

  private mutating func compare(_ before: DocumentText, _ after: DocumentText, _ place: String) {
    note("\(place).title", before.title, after.title)
    for words in after.sections {
      let old = before.section(words.sectionID)
      let field = "\(place).sections[\(words.sectionID)]"
      note("\(field).title", old.title, words.title)
      note("\(field).formal_title", old.formalTitle, words.formalTitle)
      note("\(field).summary", old.summary, words.summary)
      note("\(field).content", old.content, words.content)
      note("\(field).html_content", old.htmlContent, words.htmlContent)
      note("\(field).learn_more_title", old.learnMoreTitle, words.learnMoreTitle)
      note("\(field).image_alt", old.imageAlt, words.imageAlt)
      note("\(field).animation_caption", old.animationCaption, words.animationCaption)
    }
    compareList("\(place).signatures", before.signatures, after.signatures, by: \.signatureID)
    compareList("\(place).questions", before.questions, after.questions, by: \.questionID)
    compareList("\(place).purposes", before.purposes, after.purposes, by: \.purposeCode)
    note("\(place).html_review_content", before.htmlReviewContent, after.htmlReviewContent)
    note("\(place).review_text", before.reviewText, after.reviewText)
    note("\(place).reason_for_consent", before.reasonForConsent, after.reasonForConsent)
    note("\(place).signature_page_title", before.signaturePageTitle, after.signaturePageTitle)
    note("\(place).signature_page_content", before.signaturePageContent, after.signaturePageContent)
    note("\(place).sharing", described(before.sharing), described(after.sharing))
    note("\(place).guardian_authority", before.guardianAuthority, after.guardianAuthority)
    note("\(place).failed_text", before.failedText, after.failedText)
  }

  private mutating func compareList<Item: Equatable>(
    _ field: String, _ before: [Item], _ after: [Item], by name: (Item) -> String
  ) {
    let (old, new) = (before.map(name), after.map(name))
    let common = Set(old).intersection(new)
    // What is moved is what stands elsewhere among the ones that both have: additions move nothing.
    let (oldCommon, newCommon) = (old.filter(common.contains), new.filter(common.contains))
    for (index, item) in after.enumerated() {
      let place = "\(field)[\(new[index])]"
      guard let earlier = before.first(where: { name($0) == new[index] }) else {
        changes.append(DocumentChange(kind: .added, field: place, after: shown("\(item)")))
        continue
      }
      if earlier != item { note(place, "\(earlier)", "\(item)") }
      if oldCommon.firstIndex(of: new[index]) != newCommon.firstIndex(of: new[index]) {
        changes.append(DocumentChange(kind: .moved, field: place))
      }
    }
    for (index, item) in before.enumerated() where !common.contains(old[index]) {
      changes.append(DocumentChange(kind: .removed, field: "\(field)[\(old[index])]", before: shown("\(item)")))
    }
  }

  private mutating func note(_ field: String, _ before: String, _ after: String) {
    guard before != after else { return }
    let kind: ChangeKind = before.isEmpty ? .added : after.isEmpty ? .removed : .changed
    changes.append(DocumentChange(kind: kind, field: field, before: shown(before), after: shown(after)))
  }

  private func described(_ value: (some Message)?) -> String { value.map { "\($0)" } ?? "" }
  private func shown(_ text: String) -> String { String(text.prefix(Self.longestShown)) }
}
