package import ConsentContract

/// Describes what changed between two versions, in the order of the document and in words.
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
    compare(before.settings ?? DocumentSettings(), after.settings ?? DocumentSettings())
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

  private mutating func compare(_ before: DocumentSettings, _ after: DocumentSettings) {
    compare("settings.sections", before.sectionItems, after.sectionItems)
    compare("settings.signatures", before.signatureItems, after.signatureItems)
    compare("settings.purposes", before.purposeItems, after.purposeItems)
    compare("settings.comprehension.questions", before.questionItems, after.questionItems)
    compare("settings", before.facts, after.facts)
  }

  private mutating func compare(_ before: DocumentText, _ after: DocumentText, _ place: String) {
    compare("\(place).sections", before.sectionItems, after.sectionItems)
    compare("\(place).signatures", before.signatureItems, after.signatureItems)
    compare("\(place).questions", before.questionItems, after.questionItems)
    compare("\(place).purposes", before.purposeItems, after.purposeItems)
    compare(place, before.facts, after.facts)
  }

  private mutating func compare(_ field: String, _ before: [DocumentItem], _ after: [DocumentItem]) {
    let (old, new) = (before.map(\.name), after.map(\.name))
    let common = Set(old).intersection(new)
    // An item was moved if it changed its place among those that both versions have: an added item moves none.
    let (oldCommon, newCommon) = (old.filter(common.contains), new.filter(common.contains))
    for item in after {
      let place = "\(field)[\(item.name)]"
      guard let earlier = before.first(where: { $0.name == item.name }) else {
        changes.append(DocumentChange(kind: .added, field: place, after: shown(item.summary)))
        continue
      }
      compare(place, earlier.facts, item.facts)
      if oldCommon.firstIndex(of: item.name) != newCommon.firstIndex(of: item.name) {
        changes.append(DocumentChange(kind: .moved, field: place))
      }
    }
    for item in before where !common.contains(item.name) {
      changes.append(DocumentChange(kind: .removed, field: "\(field)[\(item.name)]", before: shown(item.summary)))
    }
  }

  private mutating func compare(_ place: String, _ before: [DocumentFact], _ after: [DocumentFact]) {
    for fact in after {
      note("\(place).\(fact.field)", before.first { $0.field == fact.field }?.words ?? "", fact.words)
    }
    for fact in before where !after.contains(where: { $0.field == fact.field }) {
      note("\(place).\(fact.field)", fact.words, "")
    }
  }

  private mutating func note(_ field: String, _ before: String, _ after: String) {
    guard before != after else { return }
    let kind: ChangeKind = before.isEmpty ? .added : after.isEmpty ? .removed : .changed
    changes.append(DocumentChange(kind: kind, field: field, before: shown(before), after: shown(after)))
  }

  private func shown(_ text: String) -> String { String(text.prefix(Self.longestShown)) }
}
