internal import Base
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
    let (old, new) = (before.texts.keyed(by: \.locale), after.texts.keyed(by: \.locale))
    for text in after.texts {
      let place = "texts[\(text.locale.shortened)]"
      guard let earlier = old[text.locale] else {
        changes.append(DocumentChange(kind: .added, field: place, after: shown(text.title)))
        continue
      }
      compare(earlier, text, place)
    }
    for text in before.texts where new[text.locale] == nil {
      let place = "texts[\(text.locale.shortened)]"
      changes.append(DocumentChange(kind: .removed, field: place, before: shown(text.title)))
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
    let (oldPlaces, newPlaces) = (places(old.filter(common.contains)), places(new.filter(common.contains)))
    let known = before.keyed(by: \.name)
    for item in after {
      let place = "\(field)[\(item.name.shortened)]"
      guard let earlier = known[item.name] else {
        changes.append(DocumentChange(kind: .added, field: place, after: shown(item.summary)))
        continue
      }
      compare(place, earlier.facts, item.facts)
      if oldPlaces[item.name] != newPlaces[item.name] {
        changes.append(DocumentChange(kind: .moved, field: place))
      }
    }
    for item in before where !common.contains(item.name) {
      let place = "\(field)[\(item.name.shortened)]"
      changes.append(DocumentChange(kind: .removed, field: place, before: shown(item.summary)))
    }
  }

  private func places(_ names: [String]) -> [String: Int] {
    Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  private mutating func compare(_ place: String, _ before: [DocumentFact], _ after: [DocumentFact]) {
    let (old, new) = (before.keyed(by: \.field), Set(after.map(\.field)))
    for fact in after {
      note("\(place).\(fact.field)", old[fact.field]?.words ?? "", fact.words)
    }
    for fact in before where !new.contains(fact.field) {
      note("\(place).\(fact.field)", fact.words, "")
    }
  }

  private mutating func note(_ field: String, _ before: String, _ after: String) {
    // Compared by bytes: the time to compare strings grows with the square of the combining marks on a letter.
    guard !before.utf8.elementsEqual(after.utf8) else { return }
    let kind: ChangeKind = before.isEmpty ? .added : after.isEmpty ? .removed : .changed
    changes.append(DocumentChange(kind: kind, field: field, before: shown(before), after: shown(after)))
  }

  private func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(Self.longestShown)) }
}
