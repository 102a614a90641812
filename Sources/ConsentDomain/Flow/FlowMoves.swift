internal import ConsentContract

/// What a move depends on besides the position. The live engine knows these facts; the offline table has those that
/// were known when it was made.
struct FlowFacts: Sendable {
  /// The person's standing by age, for one document.
  var standing: @Sendable (ScriptDocument) -> Standing
  /// The result of a document's questions, known at their last page.
  var verdict: QuizVerdict = .passed
  /// Whether a step is shown, by the answers so far and the person's age.
  var shows: @Sendable (ScriptStep) -> Bool = { $0.condition == nil }
  /// Whether the birth date is known wherever the walk is, so that no review asks for it.
  var knowsBirthDate = false
  /// Whether a question of the step has asked for the birth date and was answered.
  var statesBirthDate: @Sendable (ScriptStep) -> Bool = { _ in false }
  /// What the person has consented to elsewhere.
  var earlierConsents: [EarlierConsent] = []
}

/// A person's standing by age for a document.
package enum Standing: Hashable, Sendable {
  case ofAge
  /// A guardian consents; the minor assents too, from the age that the document states.
  case minor(assents: Bool)
  case tooYoung
}

/// What an attempt at the questions leads to.
enum QuizVerdict: Hashable {
  case passed
  case retry
  case restudy
  case failed
}

/// The target of an action.
enum FlowMove: Equatable {
  case to(FlowPosition)
  /// - Parameter leavesStep: whether the session ends on the way from one step into the next, which is not entered: the
  ///   one before it counts as left forwards.
  case end(SessionOutcome, leavesStep: Bool = false)
}

/// The moves of a script: a function of position, action and facts only, so that a table of them can be written for
/// offline use.
package struct FlowMoves {
  let script: FlowScript
  let facts: FlowFacts

  /// The first position of a session.
  var start: FlowMove {
    enter(step: shown(from: 0), page: 0, from: nil, transition: .slideUp)
  }

  /// The first step from `index` on that is shown. The last one, the end, always is.
  private func shown(from index: Int) -> Int {
    script.steps[index...].firstIndex { facts.shows($0) } ?? script.steps.count - 1
  }

  /// What the screen at `position` offers, in the order of its buttons.
  func offered(at position: FlowPosition) -> [ActionKind] {
    if position.closed { return [] }
    if position.alert != .unspecified { return [.dismiss, .confirm] }
    let page = script.page(at: position)
    if case .completion = page { return [.done] }
    let leave: [ActionKind] = previous(of: position) == nil ? [.cancel] : [.back, .cancel]
    switch page {
    case .form(let form, let index):
      // A later page of a sequence has only Back; Cancel is on the first page.
      let bar: [ActionKind] = index == 0 ? [.cancel] : [.back]
      let isLast = index == form.pages.count - 1
      return bar + (isLast ? [form.condition == .mandatory ? .deny : .notNow, .allow] : [.next])
    case .instruction, .section, .filePage: return leave + [.next]
    case .questions, .birthDate: return leave + [.answer]
    case .sharing: return leave + [.share]
    case .read:
      let waits = isGated(script.steps[Int(position.step)]) && !position.scrolled
      return leave + [.disagree] + (waits ? [.scrolledToEnd] : [.agree])
    case .name: return leave + [.enterName]
    case .sign: return leave + [.sign]
    case .recap: return leave + [.next]
    case .completion: return [.done]
    }
  }

  /// The target of `action`. Only for actions that are offered.
  func move(from position: FlowPosition, on action: ActionKind) -> FlowMove {
    switch action {
    case .cancel: return .to(position.raising(.quit))
    case .deny: return .to(position.raising(.consentNeeded))
    case .agree: return .to(position.raising(.confirmAgreement))
    case .disagree, .notNow:
      return asksFirst(at: position) ? .to(position.raising(.earlierConsent)) : declined(at: position)
    case .dismiss: return .to(position.raising(.unspecified))
    case .scrolledToEnd:
      var moved = position
      moved.scrolled = true
      moved.transition = .none
      return .to(moved)
    case .confirm:
      switch position.alert {
      case .quit: return .end(.quit)
      case .consentNeeded: return .end(.denied)
      case .earlierConsent: return declined(at: position)
      default: return forward(from: position)
      }
    case .back: return previous(of: position).map(FlowMove.to) ?? .to(position)
    case .done:
      var moved = position
      moved.closed = true
      moved.transition = .slideDown
      return .to(moved)
    case .answer: return answered(from: position)
    default: return forward(from: position)
    }
  }

  /// Whether a decline asks first, because of what it does to an earlier consent.
  func asksFirst(at position: FlowPosition) -> Bool {
    outlook(ofDeclining: script.steps[Int(position.step)]) != nil
  }

  /// Whether an action at a position declines what is asked there, and does not merely ask whether to.
  func declines(_ action: ActionKind, at position: FlowPosition) -> Bool {
    switch action {
    case .disagree, .notNow: !asksFirst(at: position)
    case .confirm: position.alert == .earlierConsent
    default: false
    }
  }

  /// Whoever disagrees goes to the end, or on if the review is optional; whoever leaves out a form goes on.
  private func declined(at position: FlowPosition) -> FlowMove {
    let here = Int(position.step)
    guard script.steps[here].isReview else { return forward(from: position) }
    let next = script.steps[here].isOptional ? shown(from: here + 1) : script.steps.count - 1
    return enter(step: next, page: 0, from: position, transition: .nextModal)
  }

  private func answered(from position: FlowPosition) -> FlowMove {
    guard case .questions(let page) = script.page(at: position), page.isLast else { return forward(from: position) }
    switch facts.verdict {
    case .passed: return forward(from: position)
    case .failed: return .end(.failedQuestions)
    case .retry:
      let transition: ScreenTransition = position.page == 0 ? .none : .pop
      return enter(step: Int(position.step), page: 0, from: position, transition: transition)
    case .restudy:
      let documentID = script.steps[Int(position.step)].documentID
      let study = script.steps[..<Int(position.step)].lastIndex { step in
        guard step.documentID == documentID, case .section? = step.pages.first else { return false }
        return true
      }
      return enter(step: study ?? Int(position.step), page: 0, from: position, transition: .pop)
    }
  }

  private func forward(from position: FlowPosition) -> FlowMove {
    let step = script.steps[Int(position.step)]
    for page in step.pages.indices where page > Int(position.page) && applies(step.pages[page], in: step) {
      return enter(step: Int(position.step), page: page, from: position, transition: nil)
    }
    return enter(step: shown(from: Int(position.step) + 1), page: 0, from: position, transition: nil)
  }

  /// Enters a page from another step or from the page before it.
  private func enter(step index: Int, page: Int, from: FlowPosition?, transition: ScreenTransition?) -> FlowMove {
    let step = script.steps[index]
    let page = step.pages.indices[page...].first { applies(step.pages[$0], in: step) } ?? page
    if step.isReview, let document = script.documents[step.documentID], facts.standing(document) == .tooYoung {
      return .end(.underAge, leavesStep: from.map { Int($0.step) != index } ?? false)
    }
    let place = FlowPosition(step: Int32(index), page: Int32(page))
    var position = place
    position.transition = transition ?? self.transition(from: from, to: place)
    return .to(position)
  }

  private func transition(from: FlowPosition?, to: FlowPosition) -> ScreenTransition {
    guard let from else { return .slideUp }
    guard script.steps[Int(from.step)].modal == script.steps[Int(to.step)].modal else { return .nextModal }
    if case .section(let earlier) = script.page(at: from), case .section(let later) = script.page(at: to),
      from.step == to.step, earlier.type.leadsInto(later.type)
    {
      return .section
    }
    return .push
  }

  /// Whether the agree button waits until the document has been read to its end.
  private func isGated(_ step: ScriptStep) -> Bool {
    script.documents[step.documentID]?.settings.withoutScrollGate != true
  }

  /// The previous page of the same modal; nil at the modal's first page. A review that the person goes back to counts
  /// as read.
  func previous(of position: FlowPosition) -> FlowPosition? {
    var index = Int(position.step)
    let modal = script.steps[index].modal
    var page = min(Int(position.page), script.steps[index].pages.count)
    while true {
      let step = script.steps[index]
      while page > 0 {
        page -= 1
        guard applies(step.pages[page], in: step) else { continue }
        var scrolled = false
        if case .read = step.pages[page] { scrolled = isGated(step) }
        return FlowPosition(step: Int32(index), page: Int32(page), scrolled: scrolled, transition: .pop)
      }
      guard index > 0, script.steps[index - 1].modal == modal else { return nil }
      index -= 1
      page = facts.shows(script.steps[index]) ? script.steps[index].pages.count : 0
    }
  }

  /// False if the page belongs to a signer who does not sign: a guardian of a person of age, or a minor too young to
  /// assent. False too for a birth date that is known from before the step.
  package func applies(_ page: ScriptPage, in step: ScriptStep) -> Bool {
    if case .birthDate = page { return !knowsBirthDate(before: step) }
    guard let signature = page.signature, let document = script.documents[step.documentID] else { return true }
    return facts.standing(document).signs(signature.role)
  }
}

extension FlowMoves {
  /// Whether the birth date is known, or a step of this walk before `step` has asked for it. A step that was not shown
  /// has not.
  private func knowsBirthDate(before step: ScriptStep) -> Bool {
    if facts.knowsBirthDate { return true }
    let earlier = script.steps.prefix { $0.id != step.id }
    return earlier.contains { facts.shows($0) && ($0.mayAskBirthDate || facts.statesBirthDate($0)) }
  }
}

extension Standing {
  /// True if a signer of that role signs in this person's session.
  func signs(_ role: SignerRole) -> Bool {
    switch (self, role) {
    case (.ofAge, .participant), (.minor(assents: true), .participant), (.minor, .guardian): true
    default: false
    }
  }
}

extension FlowPosition {
  /// The same position with another alert over it, or none.
  fileprivate func raising(_ alert: AlertKind) -> FlowPosition {
    var moved = self
    moved.alert = alert
    moved.transition = .none
    return moved
  }
}
