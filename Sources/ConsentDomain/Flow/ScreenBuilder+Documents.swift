internal import ConsentContract

/// The screens of a document: its questions, sections, sharing choice, names and signatures.
extension ScreenBuilder {
  func fillQuestions(_ screen: inout ConsentScreen, _ page: QuestionPage, _ document: ScriptDocument?) {
    screen.kind = .questions
    screen.title = words(page.title)
    if screen.title.isEmpty { screen.title = texts[.questionsTitle] }
    screen.questions = page.questions.map { question in
      guard let document else { return ownQuestion(question, page.own) }
      let words = document.text.question(question.id)
      return ScreenQuestion(
        id: question.id, kind: question.kind, prompt: words.prompt, detail: words.detail,
        choices: question.choices.map { choice in
          ScreenChoice(id: choice.id, text: words.choices.first { $0.choiceID == choice.id }?.text ?? "")
        },
        optional: question.optional
      ).asked(question, texts)
    }
  }

  private func ownQuestion(_ question: QuestionDefinition, _ own: [FlowQuestion]) -> ScreenQuestion {
    let words = own.first { $0.definition?.id == question.id } ?? FlowQuestion()
    let choices = question.choices.map { choice in
      ScreenChoice(id: choice.id, text: self.words(words.choices.first { $0.choiceID == choice.id }?.text))
    }
    return ScreenQuestion(
      id: question.id, kind: question.kind, prompt: self.words(words.prompt), detail: self.words(words.detail),
      choices: choices, optional: question.optional, unit: self.words(words.unit),
      minimumLabel: self.words(words.minimumLabel), maximumLabel: self.words(words.maximumLabel)
    ).asked(question, texts)
  }

  func fillBirthDate(_ screen: inout ConsentScreen) {
    screen.kind = .questions
    screen.title = texts[.birthDateTitle]
    screen.questions = [ScreenQuestion(id: "birth-date", kind: .birthDate, prompt: texts[.birthDatePrompt])]
  }

  /// Shows a section's title and summary; "learn more" opens `htmlContent`, or else `content`.
  func fillSection(
    _ screen: inout ConsentScreen, _ section: DocumentSection, _ document: ScriptDocument, _ step: ScriptStep
  ) {
    let words = document.text.section(section.id)
    screen.kind = .visual
    screen.title = shownTitle(of: section, document)
    screen.text = words.summary
    screen.learnMore = learnMore(title: words.learnMoreTitle, html: words.htmlContent, text: words.content, step)
    let hasOwn = !section.imageAsset.isEmpty || !section.animationAsset.isEmpty
    guard hasOwn || section.type.isPredefined else { return }
    let isPredefined = section.imageAsset.isEmpty && section.type.isPredefined
    screen.image = ScreenImage(
      asset: section.imageAsset, predefined: isPredefined ? section.type : .unspecified,
      animationAsset: section.animationAsset, stillAsset: section.stillAsset,
      alt: words.imageAlt.isEmpty ? section.type.imageAlt.map { texts[$0] } ?? "" : words.imageAlt,
      caption: words.animationCaption)
  }

  /// Shows a file's page as an image, and its text for those who cannot see it.
  func fillFilePage(_ screen: inout ConsentScreen, _ page: FilePage, _ index: Int, _ document: ScriptDocument) {
    let count = document.text.file?.pages.count ?? 0
    screen.kind = .page
    (screen.title, screen.text) = (document.text.title, page.text)
    screen.image = ScreenImage(asset: page.imageAsset, alt: document.text.title)
    screen.navigationBar?.page = Int32(index + 1)
    screen.navigationBar?.pageCount = Int32(count)
    screen.navigationBar?.pageLabel = pageLabel(index + 1, of: count)
    screen.fileHash = document.fileHash
  }

  func fillSharing(_ screen: inout ConsentScreen, _ document: ScriptDocument, _ step: ScriptStep) {
    let sharing = document.text.sharing ?? SharingText()
    let long = ["investigator": sharing.investigatorLong]
    screen.kind = .sharing
    screen.title = texts[.sharingTitle]
    screen.text = texts.filled(.sharingText, ["investigator": sharing.investigatorShort]).startingLikeASentence
    note(screen.text, in: texts.found(.sharingText).locale)
    screen.sharingOptions = [
      SharingOption(choice: .wide, text: texts.filled(.sharingWide, long)),
      SharingOption(choice: .investigatorOnly, text: texts.filled(.sharingInvestigator, long)),
    ]
    screen.learnMore = learnMore(title: "", html: sharing.learnMoreHTML, text: "", step)
  }

  /// What is said before somebody agrees for good: the author's reason or our own sentence, and what agreeing includes.
  func confirmation(_ document: ScriptDocument?) -> String {
    let reason = first(document?.text.reasonForConsent ?? "", .confirmMessage)
    guard let document else { return reason }
    let titles = document.text.titlesOfRequiredPurposes(document.settings)
    guard !titles.isEmpty else { return reason }
    let told = ([reason, texts[.agreeingIncludes]] + titles.map { "• \($0)" }).joined(separator: "\n")
    note(told, in: notes.language(of: reason) ?? document.text.locale)
    return told
  }

  func fillName(_ screen: inout ConsentScreen, _ signature: SignatureDefinition, _ document: ScriptDocument) {
    screen.kind = .name
    screen.title = texts[.nameTitle]
    screen.text = texts[.nameText]
    screen.nameForm = NameForm(
      signatureID: signature.id, signerTitle: document.text.signature(signature.id).title,
      givenLabel: texts[.givenName], familyLabel: texts[.familyName],
      familyFirst: texts.locale.putsFamilyNameFirst, authority: authority(signature, document),
      mononymLabel: texts[.mononym])
  }

  func fillSign(_ screen: inout ConsentScreen, _ signature: SignatureDefinition, _ document: ScriptDocument) {
    let words = document.text.signature(signature.id)
    screen.kind = .signature
    screen.title = texts[signature.initials ? .initialsTitle : .signatureTitle]
    screen.text = texts[textKey(of: signature)]
    screen.signatureForm = SignatureForm(
      signatureID: signature.id, signerTitle: words.title, meaning: words.meaning,
      typedAllowed: !signature.refusesTyped, requiresReauthentication: signature.requiresReauthentication,
      requiresImage: signature.requiresImage, authority: authority(signature, document),
      uploadAllowed: signature.allowsUploaded, reuseAllowed: signature.allowsReused, initials: signature.initials,
      documentTitle: document.text.title)
    guard signature.requiresName, signature.requiresImage, !signature.refusesTyped else { return }
    screen.signatureForm?.typedRule = texts[.typedRule]
    screen.signatureForm?.otherThanName = texts[.otherThanName]
  }

  /// The text that says what the signer is asked to do.
  private func textKey(of signature: SignatureDefinition) -> TextKey {
    // No image is asked for: the signer's fresh authentication is the act.
    guard signature.requiresImage else { return .signatureConfirmText }
    return switch (signature.initials, signature.refusesTyped) {
    case (false, false): .signatureText
    case (false, true): .signatureDrawnText
    case (true, false): .initialsText
    case (true, true): .initialsDrawnText
    }
  }

  private func authority(_ signature: SignatureDefinition, _ document: ScriptDocument) -> String {
    document.text.authority(of: signature.role, texts)
  }
}

extension ScreenQuestion {
  /// The question with what its kind needs besides words: titles of buttons, the rule for a number, a scale.
  func asked(_ question: QuestionDefinition, _ texts: ScreenTexts) -> ScreenQuestion {
    var asked = self
    switch question.kind {
    case .boolean: (asked.yesTitle, asked.noTitle) = (texts[.yes], texts[.no])
    case .number: asked.number = question.number
    case .scale: asked.scale = question.scale
    default: break
    }
    return asked
  }
}

extension String {
  /// The text with a capital first letter: words that are filled in at its beginning may be written for the middle of a
  /// sentence.
  fileprivate var startingLikeASentence: String { prefix(1).uppercased() + dropFirst() }
}
