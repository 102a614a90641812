internal import Base
package import ConsentContract

/// What may stand in braces in the texts of documents and flows, and is filled in when they are shown.
package enum Placeholder: String, CaseIterable, Sendable {
  case participantName = "participant.name"
  case siteName = "site.name"
  case studyName = "study.name"
  case today

  /// Stands for what is not known: a line to write on.
  package static let blank = "________"

  /// Those that say nothing about a person, and may stand in a text that is kept in clear.
  static let impersonal: [Placeholder] = [.siteName, .studyName, .today]

  static func filled(_ text: String, _ values: [String: String]) -> String { fill(text, values) }

  /// The names of all placeholders in a text, also of such as there are not.
  static func names(in text: String) -> Set<String> {
    var names: Set<String> = []
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{") {
      rest = rest[rest.index(after: open)...]
      let name = rest.prefix { ("a"..."z").contains($0) || $0 == "." || $0 == "_" }
      if !name.isEmpty, rest[name.endIndex...].first == "}" { names.insert(String(name)) }
    }
    return names
  }
}

extension [FilledPlaceholder] {
  /// What stands in a document's texts, by the placeholder's name.
  ///
  /// - Parameter documentID: empty for the texts of the flow.
  package func words(in documentID: String) -> [String: String] {
    let general = filter { $0.documentID.isEmpty }
    let own = documentID.isEmpty ? [] : filter { $0.documentID == documentID }
    return Dictionary((general + own).map { ($0.name, $0.value) }) { _, last in last }
  }
}

extension FlowScript {
  /// What to fill in from here on, once the participant has agreed to a document with their name and no name was known
  /// before: the documents that come after it name the person. What is on record keeps its blank.
  package func filledLater(_ changes: [FlowChange], in state: SessionState) -> [FilledPlaceholder] {
    let name = Placeholder.participantName.rawValue
    var filled = state.texts?.filled ?? []
    guard filled.words(in: "")[name] == Placeholder.blank else { return filled }
    for case .documentDecided(let result) in changes where result.agreed {
      guard let given = printedName(on: result.documentID, in: state),
        let place = steps.firstIndex(where: { $0.id == result.stepID })
      else { continue }
      let later = Set(steps[place...].map(\.documentID)).subtracting(steps[...place].map(\.documentID))
      filled.removeAll { $0.name == name && later.contains($0.documentID) }
      filled += later.sorted().map { FilledPlaceholder(name: name, value: given, documentID: $0) }
    }
    return filled
  }

  /// The name with which the participant has signed a document; nil if they have not.
  private func printedName(on documentID: String, in state: SessionState) -> String? {
    let signatures = participantSignatures(on: documentID)
    let given = state.signatures.first { given in
      given.documentID == documentID && given.name != nil && signatures.contains(given.signatureID)
    }
    return given?.name.map { PrintedName.of($0, locale: locale) }
  }

  private func participantSignatures(on documentID: String) -> [String] {
    documents[documentID]?.settings.signatures.filter { $0.role == .participant }.map(\.id) ?? []
  }

  /// What to fill in for a table of screens in which the name may be entered: each document keeps the placeholder,
  /// which whoever walks the table fills in. nil where the name is known, or stands nowhere.
  package func filledAhead(in state: SessionState) -> [FilledPlaceholder]? {
    let name = Placeholder.participantName.rawValue
    let filled = state.texts?.filled ?? []
    guard filled.words(in: "")[name] == Placeholder.blank else { return nil }
    let open = documents.keys.sorted().map { FilledPlaceholder(name: name, value: "{\(name)}", documentID: $0) }
    return filled.filter { $0.name != name || $0.documentID.isEmpty } + open
  }

  /// Where the name is entered that stands in a step's document, as far as a table has it still ahead: by the last
  /// document before it that was agreed to, or else by the one before that.
  func namesAhead(of step: ScriptStep, _ given: DocumentsGiven, from state: SessionState) -> [NamePlace] {
    guard let place = steps.firstIndex(where: { $0.documentID == step.documentID }), !step.documentID.isEmpty else {
      return []
    }
    let here = Int(state.position?.step ?? 0)
    return steps[..<place].enumerated().reversed().flatMap { index, earlier -> [NamePlace] in
      guard index >= here, given.steps[earlier.id] == true else { return [] }
      return participantSignatures(on: earlier.documentID).map { NamePlace(stepID: earlier.id, signatureID: $0) }
    }
  }

  /// What stands in a step's document if no such name is entered: one that was entered before the table was made.
  func nameBefore(_ step: ScriptStep, _ names: [NamePlace], in state: SessionState) -> String {
    let entered = names.lazy.compactMap { place -> String? in
      let documentID = steps.first { $0.id == place.stepID }?.documentID
      let known = (state.pendingNames + state.signatures).first {
        $0.documentID == documentID && $0.signatureID == place.signatureID
      }
      return known?.name.map { PrintedName.of($0, locale: locale) }
    }
    let words = (state.texts?.filled ?? []).words(in: step.documentID)
    return entered.first ?? words[Placeholder.participantName.rawValue] ?? Placeholder.blank
  }
}

extension DocumentText {
  /// Changes each text in which placeholders are filled in.
  ///
  /// - Parameter change: gets the field's name, the text, and whether it is markup.
  mutating func changePlaces(_ change: (_ field: String, _ text: inout String, _ isMarkup: Bool) -> Void) {
    for index in sections.indices {
      let field = "sections[\(sections[index].sectionID.shortened)]"
      change("\(field).title", &sections[index].title, false)
      change("\(field).formal_title", &sections[index].formalTitle, false)
      change("\(field).summary", &sections[index].summary, false)
      change("\(field).content", &sections[index].content, false)
      change("\(field).html_content", &sections[index].htmlContent, true)
    }
    change("html_review_content", &htmlReviewContent, true)
    change("review_text", &reviewText, false)
    change("reason_for_consent", &reasonForConsent, false)
    change("signature_page_content", &signaturePageContent, false)
  }

  /// The placeholders that it has.
  package var placeholders: Set<Placeholder> {
    var copy = self
    var found: Set<Placeholder> = []
    copy.changePlaces { _, text, _ in found.formUnion(Placeholder.names(in: text).compactMap(Placeholder.init)) }
    return found
  }

  /// The text with its placeholders filled in.
  package func filled(_ values: [String: String]) -> DocumentText {
    let escaped = values.mapValues(MarkupText.escaped)
    var filled = self
    filled.changePlaces { _, text, isMarkup in
      if text.utf8.contains(UInt8(ascii: "{")) { text = Placeholder.filled(text, isMarkup ? escaped : values) }
    }
    return filled
  }
}

extension FlowDefinition {
  private mutating func changePlaces(_ change: (_ text: inout LocalizedText?, _ isMarkup: Bool) -> Void) {
    for index in steps.indices {
      switch steps[index].step {
      case .instruction(var instruction)?:
        change(&instruction.title, false)
        change(&instruction.text, false)
        change(&instruction.learnMoreHTML, true)
        steps[index].step = .instruction(instruction)
      case .form(var form)?:
        for page in form.pages.indices {
          change(&form.pages[page].title, false)
          change(&form.pages[page].body, false)
          change(&form.pages[page].learnMoreHTML, true)
        }
        steps[index].step = .form(form)
      case .completion(var completion)?:
        change(&completion.title, false)
        change(&completion.text, false)
        change(&completion.declinedText, false)
        steps[index].step = .completion(completion)
      default: break
      }
    }
  }

  var placeholders: Set<Placeholder> {
    var copy = self
    var found: Set<Placeholder> = []
    copy.changePlaces { text, _ in
      for translation in text?.translations ?? [] {
        found.formUnion(Placeholder.names(in: translation.text).compactMap(Placeholder.init))
      }
    }
    return found
  }

  func filled(_ values: [String: String]) -> FlowDefinition {
    let escaped = values.mapValues(MarkupText.escaped)
    var filled = self
    filled.changePlaces { text, isMarkup in
      guard var changed = text else { return }
      for index in changed.translations.indices {
        let words = changed.translations[index].text
        guard words.utf8.contains(UInt8(ascii: "{")) else { continue }
        changed.translations[index].text = Placeholder.filled(words, isMarkup ? escaped : values)
      }
      text = changed
    }
    return filled
  }
}
