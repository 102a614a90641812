internal import Base
package import ConsentContract

/// The part of a signed copy that says what was chosen and entered, and who assisted.
package struct ChoicePart {
  private let document: ScriptDocument
  private let own: OwnMarkup

  package init(_ document: ScriptDocument, _ texts: ScreenTexts) {
    self.document = document
    own = OwnMarkup(texts, in: document.text.locale)
  }

  /// - Parameters:
  ///   - record: what was decided, with the sharing choice that was made then.
  ///   - entered: what stands on the copy of what was entered.
  /// - Returns: markup; empty if there is nothing to say.
  package func markup(of record: ConsentRecord, entered: [RecapLine]) -> String {
    var parts: [String] = []
    let decided = purposes(of: record) + sharing(record.sharing)
    if !decided.isEmpty { parts += [heading(.copyDecided), own.table(decided)] }
    if !entered.isEmpty {
      parts += [heading(.copyEntered), document.settings.recap ? "<p>\(own.said(.copyCertified))</p>" : ""]
      parts.append(own.table(entered.map { (MarkupText.escaped($0.label), ReviewComposer.paragraphs($0.value)) }))
    }
    if !record.assistants.isEmpty { parts += [heading(.copyAssistance), list(record.assistants)] }
    return parts.joined()
  }

  private func purposes(of record: ConsentRecord) -> [OwnMarkup.Line] {
    document.settings.purposes.compactMap { purpose in
      let isNo = record.declinedPurposes.contains(purpose.code)
      guard isNo || record.purposes.contains(purpose.code) else { return nil }
      let title = document.text.purpose(purpose.code).title
      return (MarkupText.escaped(title.isEmpty ? purpose.code : title), own.said(isNo ? .no : .yes))
    }
  }

  private func sharing(_ choice: SharingChoice) -> [OwnMarkup.Line] {
    guard choice != .unspecified else { return [] }
    let investigator = ["investigator": document.text.sharing?.investigatorLong ?? ""]
    return [(own.said(.sharingTitle), own.said(choice == .wide ? .sharingWide : .sharingInvestigator, investigator))]
  }

  private func list(_ parts: [AssistedPart]) -> String {
    let items = parts.map { part in
      let key: TextKey =
        switch part.assistance {
        case .operatesDevice: .assistedOperating
        case .interprets: .assistedInterpreting
        default: .assistedReading
        }
      return "<li>\(own.said(key, ["person": part.assistedBy]))</li>"
    }
    return "<ul>\(items.joined())</ul>"
  }

  private func heading(_ key: TextKey) -> String { "<h1>\(own.said(key))</h1>" }
}

extension ScriptDocument {
  /// The foot of each page of a copy: title, version, who it is about if the document says so, and the page.
  package func footer(_ texts: ScreenTexts, about person: [String]) -> String {
    let own = texts.speaking(text.locale)
    let about = settings.namesOnPages ? person.filter { !$0.isEmpty } : []
    let parts = [text.title, own.filled(.copyVersion, ["version": String(version)])] + about + [own[.footer]]
    return parts.joined(separator: " · ")
  }
}
