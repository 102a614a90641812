internal import Base
internal import ConsentContract

/// Makes the screen of a position: everything that a client shows, in the person's locale, without what the person
/// entered.
struct ScreenBuilder {
  let script: FlowScript
  let moves: FlowMoves
  /// What the person has decided in earlier steps: what they are told at the end depends on it.
  var given = DocumentsGiven([])
  /// Whether the person has allowed a form.
  var hasAllowed = false
  /// The optional purposes to which the person said no, by step; nil where the answers are not known.
  var declinedPurposes: [String: [String]]?
  /// When the flow may be started again after its questions were failed.
  var retry = Retry.never
  /// What became of the session after its end.
  var aftermath = Aftermath()
  /// Whether the screen is part of an offline table: nobody has checked yet what is entered on it.
  var isOffline = false
  let notes = LanguageNotes()

  /// The design's measures, in points.
  static let layout = ScreenLayout(learnMorePadding: 64, regularLandscapeMargin: 252, regularPortraitMargin: 48)

  var texts: ScreenTexts { script.texts.noting(notes) }

  /// A text of the flow in the script's locale.
  func words(_ text: LocalizedText?) -> String {
    guard let found = script.translation(of: text) else { return "" }
    notes.note(found.text, in: found.locale)
    return found.text
  }

  /// The screen's identifier, which is the same whenever the same is shown.
  func name(of position: FlowPosition) -> String {
    let step = script.steps[Int(position.step)]
    let place = "\(step.id)/\(script.page(at: position).name)"
    if position.closed { return "\(place)!closed" }
    let read = position.scrolled ? "+read" : ""
    return position.alert == .unspecified ? place + read : "\(place)\(read)!\(position.alert.word)"
  }

  func screen(at position: FlowPosition, outcome: SessionOutcome) -> ConsentScreen {
    let step = script.steps[Int(position.step)]
    var screen = ConsentScreen(
      schemaVersion: 1, id: name(of: position), stepID: step.id, transition: position.transition,
      modalID: "modal-\(step.modal)",
      navigationBar: NavigationBar(shadowWhileScrolled: true), offered: moves.offered(at: position),
      layout: Self.layout)
    if position.closed {
      fillEnd(&screen, outcome)
    } else {
      fillBody(&screen, script.page(at: position), step, position, outcome)
      screen.alert = alert(position.alert, step)
    }
    if script.isTest {
      let title = screen.navigationBar?.title ?? ""
      screen.navigationBar?.title = marked(title, step)
    }
    disableWhatIsNotOffered(&screen)
    languages(step).state(on: &screen)
    screen.schemaVersion = ScreenSchema.version(of: screen)
    screen.ignorable = ScreenSchema.ignorable(in: screen)
    return screen
  }

  /// Disables buttons whose actions are not offered: under an alert, only the alert's own buttons can be pressed.
  private func disableWhatIsNotOffered(_ screen: inout ConsentScreen) {
    let offered = screen.offered
    func limit(_ button: inout ScreenButton) { button.enabled = button.enabled && offered.contains(button.action) }
    if var bar = screen.navigationBar {
      if var button = bar.leading {
        limit(&button)
        bar.leading = button
      }
      if var button = bar.trailing {
        limit(&button)
        bar.trailing = button
      }
      screen.navigationBar = bar
    }
    if var toolbar = screen.toolbar {
      for index in toolbar.buttons.indices { limit(&toolbar.buttons[index]) }
      screen.toolbar = toolbar
    }
  }

  /// Every title that a test participant sees is marked.
  private func marked(_ title: String, _ step: ScriptStep) -> String {
    let mark = texts[.testMark]
    guard !title.isEmpty else { return mark }
    let marked = "\(title) – \(mark)"
    notes.note(marked, in: languages(step).language(of: title))
    return marked
  }

  private func languages(_ step: ScriptStep) -> ScreenLanguages {
    ScreenLanguages(
      notes: notes, document: script.documents[step.documentID]?.text.locale, requested: script.locale.text)
  }

  // MARK: Bodies

  private func fillBody(
    _ screen: inout ConsentScreen, _ page: ScriptPage, _ step: ScriptStep, _ position: FlowPosition,
    _ outcome: SessionOutcome
  ) {
    let document = script.documents[step.documentID]
    switch page {
    case .form(let form, let index): fillForm(&screen, form, index, step)
    case .completion(let completion): fillCompletion(&screen, completion, outcome)
    default:
      fillBar(&screen, position, title: title(of: page, step))
      switch (page, document) {
      case (.instruction(let instruction), _):
        screen.kind = .instruction
        screen.title = words(instruction.title)
        screen.text = words(instruction.text)
        screen.learnMore = learnMore(title: "", html: words(instruction.learnMoreHTML), text: "", step)
      case (.questions(let page), _): fillQuestions(&screen, page, document)
      case (.birthDate, _): fillBirthDate(&screen)
      case (.section(let section), let document?): fillSection(&screen, section, document, step)
      case (.sharing, let document?): fillSharing(&screen, document, step)
      case (.filePage(let page, let index), let document?): fillFilePage(&screen, page, index, document)
      case (.read, let document?):
        screen.kind = .review
        screen.title = document.text.title
        screen.fileHash = document.fileHash
        screen.html = document.review.html
        screen.shownHash = document.review.hash
        screen.questions = document.purposeQuestions.map { question in
          let words = document.text.purpose(question.id)
          return ScreenQuestion(id: question.id, kind: question.kind, prompt: words.title, detail: words.description)
            .asked(question, texts)
        }
        screen.toolbar = ScreenToolbar(buttons: [
          button(.disagree, .disagree),
          button(.agree, .agree, enabled: screen.offered.contains(.agree), prominent: true),
        ])
      case (.name(let signature), let document?): fillName(&screen, signature, document)
      case (.sign(let signature), let document?): fillSign(&screen, signature, document)
      case (.recap, let document?):
        screen.kind = .recap
        (screen.title, screen.text) = (texts[.recapTitle], texts[.recapText])
        screen.html = document.review.html
        screen.fileHash = document.fileHash
        screen.toolbar = ScreenToolbar(buttons: [button(.next, .recapCertify, prominent: true)])
      default: break
      }
    }
  }

  /// Fills in a form. Single: no title, Cancel, both actions at once. Sequential: page x of n, Back to the title of the
  /// page before, Next in the bar until the last page, and only there the toolbar.
  private func fillForm(_ screen: inout ConsentScreen, _ form: FormStep, _ index: Int, _ step: ScriptStep) {
    let page = form.pages[index]
    screen.kind = .form
    screen.title = words(page.title)
    screen.text = words(page.body)
    screen.learnMore = learnMore(title: words(page.learnMoreTitle), html: words(page.learnMoreHTML), text: "", step)
    if form.arrangement == .sequential {
      let (number, count) = (index + 1, form.pages.count)
      screen.navigationBar?.page = Int32(number)
      screen.navigationBar?.pageCount = Int32(count)
      let label = pageLabel(number, of: count)
      screen.navigationBar?.pageLabel = label
      screen.navigationBar?.title = label
    }
    if index == 0 {
      screen.navigationBar?.leading = button(.cancel, .cancel)
    } else {
      let title = words(form.pages[index - 1].title)
      screen.navigationBar?.leading = back(to: title, of: step)
    }
    guard index == form.pages.count - 1 else {
      screen.navigationBar?.trailing = button(.next, .next, prominent: true)
      return
    }
    let refuse = form.condition == .mandatory ? button(.deny, .deny) : button(.notNow, .notNow)
    screen.toolbar = ScreenToolbar(buttons: [refuse, button(.allow, .allow, prominent: true)])
  }

  /// Back, with the title of the page that it leads to.
  private func back(to title: String, of step: ScriptStep) -> ScreenButton {
    guard !title.isEmpty else { return button(.back, .back) }
    // In one language as a whole: that of the title.
    let language = languages(step).language(of: title)
    let words = script.texts.speaking(language).filled(.backTo, ["title": title])
    notes.note(words, in: language)
    return ScreenButton(action: .back, title: words, enabled: true)
  }

  func pageLabel(_ page: Int, of count: Int) -> String {
    texts.filled(.pageOf, ["page": String(page), "pages": String(count)])
  }

  /// Fills in the bars outside forms: Back on the left (Cancel on the first page of the modal), Cancel on the right,
  /// and in the toolbar the button that goes on.
  private func fillBar(_ screen: inout ConsentScreen, _ position: FlowPosition, title: String) {
    screen.navigationBar?.title = title
    if let previous = moves.previous(of: position) {
      let step = script.steps[Int(previous.step)]
      let back = self.title(of: script.page(at: previous), step)
      screen.navigationBar?.leading = self.back(to: back, of: step)
      screen.navigationBar?.trailing = button(.cancel, .cancel)
    } else {
      screen.navigationBar?.leading = button(.cancel, .cancel)
    }
    let forward = screen.offered.first { [.next, .answer, .share, .enterName, .sign].contains($0) }
    if let forward {
      let isOfInitials = script.page(at: position).signature?.initials == true
      let key: TextKey = forward != .sign ? .next : isOfInitials ? .initial : .sign
      screen.toolbar = ScreenToolbar(buttons: [button(forward, key, prominent: true)])
    }
  }

  /// A page's title, in its own bar and on the Back button of the next page.
  private func title(of page: ScriptPage, _ step: ScriptStep) -> String {
    let document = script.documents[step.documentID]
    switch page {
    case .instruction(let instruction): return words(instruction.title)
    case .questions(let page):
      let title = words(page.title)
      return title.isEmpty ? texts[.questionsTitle] : title
    case .section(let section): return document.map { shownTitle(of: section, $0) } ?? ""
    case .sharing: return texts[.sharingTitle]
    case .birthDate: return texts[.birthDateTitle]
    case .filePage(_, let index):
      return document?.text.file.map { pageLabel(index + 1, of: $0.pages.count) } ?? ""
    case .read: return texts[.reviewTitle]
    case .name: return texts[.nameTitle]
    case .sign(let signature): return texts[signature.initials ? .initialsTitle : .signatureTitle]
    case .recap: return texts[.recapTitle]
    case .form, .completion: return ""
    }
  }

  private func fillCompletion(
    _ screen: inout ConsentScreen, _ completion: CompletionStep, _ outcome: SessionOutcome
  ) {
    screen.kind = .completion
    switch outcome {
    case .declined:
      screen.title = texts[.declinedTitle]
      let own = words(completion.declinedText)
      screen.text = tellingApart(own.isEmpty ? texts[declinedKey] : tellingOfSigned(own))
      screen.ways = [startAgain(), contact()]
    case .needsAttention:
      (screen.title, screen.text) = (texts[.endedTitle], tellingOfSigned(texts[attentionKey]))
      screen.ways = [contact()]
    default:
      screen.title = first(words(completion.title), .completionTitle)
      screen.text = tellingApart(first(words(completion.text), completedKey))
    }
    screen.toolbar = ScreenToolbar(buttons: [button(.done, .done, prominent: true)])
  }

  /// Whether the person has signed a document in an earlier step.
  var hasSigned: Bool { given.hasAgreed }

  /// A closing text that says, where the person agreed to some things and not to others, to which.
  private func tellingApart(_ text: String) -> String {
    var (agreed, refused): ([String], [String]) = ([], [])
    for step in script.steps {
      guard let isAgreed = given.steps[step.id], let document = script.documents[step.documentID] else { continue }
      if isAgreed { agreed.append(document.text.title) } else { refused.append(document.text.title) }
      guard isAgreed, let declined = declinedPurposes?[step.id] else { continue }
      for code in document.settings.optionalPurposes {
        let title = document.text.purpose(code).title
        if declined.contains(code) { refused.append(title) } else { agreed.append(title) }
      }
    }
    guard !agreed.isEmpty, !refused.isEmpty else { return text }
    let parts = [texts[.agreedTo]] + agreed.map { "• \($0)" } + [texts[.notAgreedTo]] + refused.map { "• \($0)" }
    let told = ([text] + parts).joined(separator: "\n")
    notes.note(told, in: notes.language(of: text) ?? texts.found(.agreedTo).locale)
    return told
  }

  private var declinedKey: TextKey { hasSigned ? .declinedTextSigned : .declinedText }
  private var completedKey: TextKey {
    isOffline ? .completionOfflineText : aftermath.isAwaitingOthers ? .completionWaitingText : .completionText
  }
  private var quitKey: TextKey { mayGoOn ? .endedQuitGoOn : hasSigned ? .endedQuitSigned : .endedQuit }
  private var attentionKey: TextKey { aftermath.isAttentionResolved ? .endedAttentionResolved : .endedAttention }

  /// A closing text. If something was signed in an earlier step, it also says that this stays on record.
  private func tellingOfSigned(_ text: String) -> String {
    hasSigned ? telling(.endedSigned, after: text) : text
  }

  private func telling(_ key: TextKey, after text: String) -> String { joined(text, texts[key], in: key) }

  /// Two sentences of one text; the first alone if there is no second.
  private func joined(_ first: String, _ second: String?, in key: TextKey) -> String {
    guard let second else { return first }
    let both = "\(first)\n\(second)"
    notes.note(both, in: notes.language(of: first) ?? texts.found(key).locale)
    return both
  }

  /// The screen after the last modal has slid down.
  private func fillEnd(_ screen: inout ConsentScreen, _ outcome: SessionOutcome) {
    screen.kind = .plain
    let failed =
      script.documents[script.steps.first { $0.id == screen.stepID }?.documentID ?? ""]?.text.failedText ?? ""
    screen.title = texts[.endedTitle]
    switch outcome {
    case .completed: (screen.title, screen.text) = (texts[.completionTitle], tellingApart(texts[completedKey]))
    case .declined: (screen.title, screen.text) = (texts[.declinedTitle], tellingApart(texts[declinedKey]))
    case .quit: screen.text = texts[quitKey]
    case .denied:
      let denied = texts[.endedDenied]
      screen.text = tellingOfSigned(hasAllowed ? telling(.endedAllowed, after: denied) : denied)
    case .failedQuestions: screen.text = tellingOfSigned(first(failed, .endedFailed))
    case .underAge: screen.text = tellingOfSigned(texts[.endedUnderAge])
    case .expired: screen.text = tellingOfSigned(texts[.endedExpired])
    case .stopped: screen.text = tellingOfSigned(texts[.endedStopped])
    case .needsAttention: screen.text = tellingOfSigned(texts[attentionKey])
    case .abandoned, .unspecified, .unrecognized: screen.text = tellingOfSigned(texts[.endedAbandoned])
    }
    screen.ways = ways(after: outcome)
  }

  // MARK: Pieces

  private func alert(_ kind: AlertKind, _ step: ScriptStep) -> ScreenAlert? {
    switch kind {
    case .quit:
      return ScreenAlert(
        kind: kind, title: texts[.quitTitle], message: texts[hasSigned ? .quitMessageSigned : .quitMessage],
        buttons: [button(.dismiss, .no, prominent: true), button(.confirm, .yes)])
    case .consentNeeded:
      let outlook = moves.outlook(ofDeclining: step)
      return ScreenAlert(
        kind: kind, title: texts[.consentNeededTitle],
        message: joined(texts[.consentNeededMessage], outlook.map { words($0) }, in: .consentNeededMessage),
        buttons: [button(.dismiss, .returnToConsent, prominent: true), button(.confirm, .confirmDenial)])
    case .confirmAgreement:
      return ScreenAlert(
        kind: kind, title: texts[.confirmTitle], message: confirmation(script.documents[step.documentID]),
        buttons: [button(.dismiss, .cancel), button(.confirm, .agree, prominent: true)])
    case .earlierConsent:
      return moves.outlook(ofDeclining: step).map { outlook in
        ScreenAlert(
          kind: kind, title: texts[.earlierConsentTitle], message: words(outlook),
          buttons: [button(.dismiss, .back, prominent: true), button(.confirm, .goOn)])
      }
    case .unspecified, .unrecognized:
      return nil
    }
  }

  /// What a decline does to what the person agreed to before.
  private func words(_ outlook: DeclineOutlook) -> String {
    let day = CalendarDay(of: outlook.agreedAt).description
    return texts.filled(outlook.stays ? .earlierConsentStays : .earlierConsentEnds, ["date": day])
  }

  func learnMore(title: String, html: String, text: String, _ step: ScriptStep) -> LearnMore? {
    guard !html.isEmpty else {
      return text.isEmpty ? nil : LearnMore(title: first(title, .learnMore), text: text)
    }
    let language = languages(step).language(of: html)
    let marked = LanguageMarkup.block(html, in: language)
    notes.note(marked, in: language)
    return LearnMore(title: first(title, .learnMore), html: marked)
  }

  /// A section's title; a default one in the language of its document.
  func shownTitle(of section: DocumentSection, _ document: ScriptDocument) -> String {
    document.text.section(section.id).shownTitle(section.type, texts.speaking(document.text.locale))
  }

  func note(_ text: String, in language: String) { notes.note(text, in: language) }

  func first(_ own: String, _ standIn: TextKey) -> String { own.isEmpty ? texts[standIn] : own }

  private func button(
    _ action: ActionKind, _ title: TextKey, enabled: Bool = true, prominent: Bool = false
  ) -> ScreenButton {
    ScreenButton(action: action, title: texts[title], enabled: enabled, prominent: prominent)
  }
}

extension DocumentText {
  /// The statement of authority that a signer of this role makes; empty for all roles but guardians.
  func authority(of role: SignerRole, _ texts: ScreenTexts) -> String {
    guard role == .guardian else { return "" }
    return guardianAuthority.isEmpty ? texts[.guardianAuthority] : guardianAuthority
  }
}
