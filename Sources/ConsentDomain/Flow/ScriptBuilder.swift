internal import Base
internal import ConsentContract
internal import Refusals

/// Divides a definition's steps into pages and modals.
struct ScriptBuilder {
  private let documents: [String: ScriptDocument]
  private let birthDateGiven: Bool
  private var modal = 0
  private var modalIsOpen = false

  init(documents: [String: ScriptDocument], birthDateGiven: Bool) {
    self.documents = documents
    self.birthDateGiven = birthDateGiven
  }

  mutating func steps(of definition: FlowDefinition) throws(Refusal) -> [ScriptStep] {
    var steps: [ScriptStep] = []
    for step in definition.steps {
      var built = try scriptStep(step)
      // Conditions about sites were applied before, by `walked(at:)`: during a session, only answers and ages decide.
      built.condition = step.condition.flatMap { $0.answers.isEmpty && $0.age == nil ? nil : $0 }
      steps.append(built)
    }
    guard let last = steps.last, case .completion? = last.pages.last else {
      throw Refusal(.invalid, "completion_not_last", field: "steps", "steps must end with a completion step")
    }
    return steps
  }

  private mutating func scriptStep(_ step: FlowStep) throws(Refusal) -> ScriptStep {
    switch step.step {
    case .form(let form):
      // Single and sequential forms never share a modal, neither with each other nor with other steps.
      let pages = form.pages.indices.map { ScriptPage.form(form, page: $0) }
      return ScriptStep(id: step.id, documentID: "", modal: ownModal(), pages: try filled(pages, step))
    case .instruction(let instruction):
      return ScriptStep(id: step.id, documentID: "", modal: sharedModal(), pages: [.instruction(instruction)])
    case .question(let question):
      let pages = try questionPages(question, step)
      return ScriptStep(
        id: step.id, documentID: question.documentID, modal: sharedModal(), pages: try filled(pages, step))
    case .visual(let visual):
      let document = try document(visual.documentID, step)
      let sections = visualSections(visual, of: document.settings).map(ScriptPage.section)
      return ScriptStep(id: step.id, documentID: document.id, modal: sharedModal(), pages: try filled(sections, step))
    case .sharing(let sharing):
      let document = try document(sharing.documentID, step)
      return ScriptStep(id: step.id, documentID: document.id, modal: sharedModal(), pages: [.sharing])
    case .review(let review):
      let document = try document(review.documentID, step)
      let modal = sharedModal()
      // What is decided in a review is final: no later step goes back into it.
      modalIsOpen = false
      return ScriptStep(
        id: step.id, documentID: document.id, modal: modal, pages: reviewPages(document), isOptional: review.optional)
    case .completion(let completion):
      return ScriptStep(id: step.id, documentID: "", modal: ownModal(), pages: [.completion(completion)])
    case nil:
      throw Refusal(.invalid, "empty_step", field: "steps[\(step.id)]", "steps[\(step.id)] states no kind of step")
    }
  }

  private func visualSections(_ visual: VisualStep, of settings: DocumentSettings) -> [DocumentSection] {
    guard !visual.sectionIDs.isEmpty else { return settings.sections.filter(\.type.isVisual) }
    return visual.sectionIDs.compactMap { name in settings.sections.first { $0.id == name && $0.type.isVisual } }
  }

  private mutating func questionPages(_ step: QuestionStep, _ flowStep: FlowStep) throws(Refusal) -> [ScriptPage] {
    let questions: [QuestionDefinition]
    if step.documentID.isEmpty {
      questions = step.questions.map { $0.definition ?? QuestionDefinition() }
    } else {
      questions = try document(step.documentID, flowStep).settings.comprehension?.questions ?? []
    }
    let groups = step.together ? [questions] : questions.map { [$0] }
    return groups.filter { !$0.isEmpty }.enumerated().map { index, group in
      .questions(
        QuestionPage(
          index: index, title: step.title, questions: group, own: step.questions, isLast: index == groups.count - 1))
    }
  }

  /// Review order: the birth date if an age rule needs it, the pages of a file, read and agree, then for each signer
  /// the name if required and the signature if required. Witnesses and investigators sign later.
  ///
  /// Every such review has a page for the birth date: which steps come before it, and state the date, is known only
  /// during a walk.
  private func reviewPages(_ document: ScriptDocument) -> [ScriptPage] {
    let settings = document.settings
    var pages: [ScriptPage] = []
    if settings.age != nil, !birthDateGiven { pages.append(.birthDate) }
    pages += (document.text.file?.pages ?? []).enumerated().map { .filePage($1, index: $0) }
    pages.append(.read)
    let signers = settings.signatures.filter { $0.role == .participant || $0.role == .guardian }
    for signer in signers.sorted(by: { $0.order < $1.order }) {
      if signer.requiresName { pages.append(.name(signer)) }
      if signer.requiresImage || signer.requiresReauthentication { pages.append(.sign(signer)) }
    }
    if settings.recap { pages.append(.recap) }
    return pages
  }

  private mutating func ownModal() -> Int {
    modal += 1
    modalIsOpen = false
    return modal
  }

  private mutating func sharedModal() -> Int {
    if !modalIsOpen { modal += 1 }
    modalIsOpen = true
    return modal
  }

  private func filled(_ pages: [ScriptPage], _ step: FlowStep) throws(Refusal) -> [ScriptPage] {
    guard !pages.isEmpty else {
      throw Refusal(.invalid, "empty_step", field: "steps[\(step.id)]", "steps[\(step.id)] has nothing to show")
    }
    return pages
  }

  private func document(_ id: String, _ step: FlowStep) throws(Refusal) -> ScriptDocument {
    guard let document = documents[id] else {
      let message = "steps[\(step.id)] names document '\(id.shortened)', which is not there"
      throw Refusal(.invalid, "unknown_document", field: "steps[\(step.id)].document_id", message)
    }
    return document
  }
}
