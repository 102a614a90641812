internal import Base
package import ConsentContract
package import Refusals

/// How many entries the lists of a document or a flow may have, and how long the names in them may be. These bounds are
/// checked first, since validation, cleaning, composing and comparing look at each text of each section, and the time
/// to look up a name grows with the square of the combining marks on one of its letters.
package enum AuthoringBounds {
  package static let mostTexts = 50
  package static let mostSections = 100
  package static let mostSignatures = 20
  package static let mostPurposes = 50
  package static let mostQuestions = 50
  package static let mostChoices = 30
  /// Texts that count as right answers to a question.
  package static let mostAccepted = 100
  package static let mostSteps = 100
  /// How many pages one form may have.
  package static let mostPages = 20
  /// How many translations one text in a flow may have.
  package static let mostTranslations = 50
  /// How many answers the condition of one step may name.
  package static let mostConditions = 20
  /// How many sites the condition of one step may name.
  package static let mostSites = 500
  /// How many different images the HTML of a document may have, in all languages together, and the HTML of a flow.
  package static let mostImages = 1_000

  /// In bytes. Validation allows only shorter names, and reports those in between together with other problems.
  package static let longestName = 200

  static func require(_ count: Int, atMost bound: Int, _ field: @autoclosure () -> String) throws(Refusal) {
    guard count > bound else { return }
    let name = field()
    throw Refusal(.invalid, "too_many", field: name, "\(name) has \(count) entries; at most \(bound) are allowed")
  }

  fileprivate static func require(images: Set<String>, _ field: String) throws(Refusal) {
    guard images.count > mostImages else { return }
    let message = "\(field) show \(images.count) different images; at most \(mostImages) are allowed"
    throw Refusal(.invalid, "too_many", field: field, message)
  }

  fileprivate static func check(_ question: QuestionDefinition, _ field: String) throws(Refusal) {
    try check(name: question.id, "\(field).id")
    try require(question.choices.count, atMost: mostChoices, "\(field).choices")
    try check(names: question.choices.map(\.id), "\(field).choices")
    try require(question.acceptedAnswers.count, atMost: mostAccepted, "\(field).accepted_answers")
  }

  fileprivate static func check(names: [String], _ field: String) throws(Refusal) {
    for (index, name) in names.enumerated() { try check(name: name, "\(field)[\(index)]") }
  }

  fileprivate static func check(name: String, _ field: @autoclosure () -> String) throws(Refusal) {
    let length = name.utf8.count
    guard length > longestName else { return }
    let place = field()
    let message = "\(place) is a name of \(length) bytes; at most \(longestName) are allowed"
    throw Refusal(.invalid, "too_long", field: place, message)
  }
}

// MARK: - Documents

extension AuthoringBounds {
  package static func check(_ content: DocumentContent) throws(Refusal) {
    if let settings = content.settings { try check(settings) }
    try check(name: content.defaultLocale, "default_locale")
    try require(content.texts.count, atMost: mostTexts, "texts")
    for text in content.texts { try check(text) }
    try require(images: content.images, "texts")
  }

  private static func check(_ settings: DocumentSettings) throws(Refusal) {
    try require(settings.sections.count, atMost: mostSections, "settings.sections")
    try require(settings.signatures.count, atMost: mostSignatures, "settings.signatures")
    try require(settings.purposes.count, atMost: mostPurposes, "settings.purposes")
    try check(names: settings.sections.map(\.id), "settings.sections")
    for (index, section) in settings.sections.enumerated() {
      let assets = [section.imageAsset, section.animationAsset, section.stillAsset]
      for asset in assets { try check(name: asset, "settings.sections[\(index)]") }
    }
    try check(names: settings.signatures.map(\.id), "settings.signatures")
    try check(names: settings.purposes.map(\.code), "settings.purposes")
    let questions = settings.comprehension?.questions ?? []
    let field = "settings.comprehension.questions"
    try require(questions.count, atMost: mostQuestions, field)
    for question in questions { try check(question, "\(field)[\(question.id.shortened)]") }
  }

  package static func check(_ text: DocumentText) throws(Refusal) {
    let place = "texts[\(text.locale.shortened)]"
    try check(name: text.locale, "\(place).locale")
    try require(text.sections.count, atMost: mostSections, "\(place).sections")
    try require(text.signatures.count, atMost: mostSignatures, "\(place).signatures")
    try require(text.purposes.count, atMost: mostPurposes, "\(place).purposes")
    try require(text.questions.count, atMost: mostQuestions, "\(place).questions")
    try check(names: text.sections.map(\.sectionID), "\(place).sections")
    try check(names: text.signatures.map(\.signatureID), "\(place).signatures")
    try check(names: text.purposes.map(\.purposeCode), "\(place).purposes")
    try check(names: text.questions.map(\.questionID), "\(place).questions")
    for question in text.questions {
      let field = "\(place).questions[\(question.questionID.shortened)].choices"
      try require(question.choices.count, atMost: mostChoices, field)
      try check(names: question.choices.map(\.choiceID), field)
    }
    try check(name: text.file?.asset ?? "", "\(place).file.asset")
    try require(text.file?.pageTexts.count ?? 0, atMost: FileBounds.mostPages, "\(place).file.page_texts")
  }
}

// MARK: - Flows

extension AuthoringBounds {
  package static func check(_ definition: FlowDefinition) throws(Refusal) {
    try check(name: definition.defaultLocale, "default_locale")
    try require(definition.steps.count, atMost: mostSteps, "steps")
    try check(names: definition.steps.map(\.id), "steps")
    // Each step shows one document at most.
    try require(definition.documents.count, atMost: mostSteps, "documents")
    try check(names: definition.documents.map(\.documentID), "documents")
    for step in definition.steps { try check(step, "steps[\(step.id.shortened)]") }
    try require(images: definition.assetNames, "steps")
  }

  private static func check(_ step: FlowStep, _ place: String) throws(Refusal) {
    if let condition = step.condition { try check(condition, "\(place).condition") }
    switch step.step {
    case .form(let form):
      try check(name: form.purpose, "\(place).form.purpose")
      try require(form.pages.count, atMost: mostPages, "\(place).form.pages")
      for (index, page) in form.pages.enumerated() {
        let field = "\(place).form.pages[\(index)]"
        try check(page.title, "\(field).title")
        try check(page.body, "\(field).body")
        try check(page.learnMoreHTML, "\(field).learn_more_html")
        try check(page.learnMoreTitle, "\(field).learn_more_title")
      }
    case .instruction(let instruction):
      try check(instruction.title, "\(place).instruction.title")
      try check(instruction.text, "\(place).instruction.text")
      try check(instruction.learnMoreHTML, "\(place).instruction.learn_more_html")
    case .question(let question): try check(question, "\(place).question")
    case .visual(let visual):
      try check(name: visual.documentID, "\(place).visual.document_id")
      try require(visual.sectionIDs.count, atMost: mostSections, "\(place).visual.section_ids")
      try check(names: visual.sectionIDs, "\(place).visual.section_ids")
    case .sharing(let sharing): try check(name: sharing.documentID, "\(place).sharing.document_id")
    case .review(let review): try check(name: review.documentID, "\(place).review.document_id")
    case .completion(let completion):
      try check(completion.title, "\(place).completion.title")
      try check(completion.text, "\(place).completion.text")
      try check(completion.declinedText, "\(place).completion.declined_text")
      try check(completion.contact, "\(place).completion.contact")
    case nil: break
    }
  }

  private static func check(_ condition: StepCondition, _ field: String) throws(Refusal) {
    try require(condition.answers.count, atMost: mostConditions, "\(field).answers")
    try require(condition.siteIDs.count, atMost: mostSites, "\(field).site_ids")
    try check(names: condition.siteIDs, "\(field).site_ids")
    for (index, answer) in condition.answers.enumerated() {
      let place = "\(field).answers[\(index)]"
      try check(name: answer.stepID, "\(place).step_id")
      try check(name: answer.questionID, "\(place).question_id")
      try require(answer.choiceIDs.count, atMost: mostChoices, "\(place).choice_ids")
      try check(names: answer.choiceIDs, "\(place).choice_ids")
    }
  }

  private static func check(_ step: QuestionStep, _ field: String) throws(Refusal) {
    try check(name: step.documentID, "\(field).document_id")
    try check(step.title, "\(field).title")
    try require(step.questions.count, atMost: mostQuestions, "\(field).questions")
    for question in step.questions {
      let definition = question.definition ?? QuestionDefinition()
      let place = "\(field).questions[\(definition.id.shortened)]"
      try check(definition, place)
      try require(question.choices.count, atMost: mostChoices, "\(place).choices")
      try check(names: question.choices.map(\.choiceID), "\(place).choices")
      for choice in question.choices { try check(choice.text, "\(place).choices[\(choice.choiceID.shortened)].text") }
      try check(question.prompt, "\(place).prompt")
      try check(question.detail, "\(place).detail")
      try check(question.unit, "\(place).unit")
      try check(question.minimumLabel, "\(place).minimum_label")
      try check(question.maximumLabel, "\(place).maximum_label")
    }
  }

  private static func check(_ text: LocalizedText?, _ field: String) throws(Refusal) {
    guard let text else { return }
    try require(text.translations.count, atMost: mostTranslations, field)
    try check(names: text.translations.map(\.locale), field)
  }
}
