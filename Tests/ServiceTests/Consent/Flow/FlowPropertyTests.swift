import Base
import ConsentContract
import ConsentDomain
import ServicePolicy
import TestSupport
import Testing

/// Random definitions, random walks, and what must hold in all of them.
@Suite("Any flow, any walk")
struct FlowPropertyTests {
  static let seeds: Range<UInt64> = 0..<(LongTests.areWanted ? 400 : 24)
  private static let walksPerFlow = 6

  @Test("random definitions are ones that may be published", arguments: seeds)
  func valid(seed: UInt64) throws {
    let flow = RandomFlow(seed: seed)
    let errors = FlowValidation.problems(in: flow.definition, documents: flow.settings).filter { $0.severity == .error }
    // Forms between the sections and the questions are the only random combination that publishing refuses.
    #expect(errors.allSatisfy { $0.rule == "restudy_across_decisions" }, "\(errors.map(\.message))")
  }

  @Test(
    "no dead ends: from every screen the end can be reached, and only ended sessions offer nothing", arguments: seeds)
  func noDeadEnds(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    let state = engine.start(birthDate: flow.birthDate, at: Example.now).state
    let table = try OfflineCompiler.table(of: engine, from: state)
    var reaches = table.map { $0.edges.isEmpty }
    for (row, screen) in table.enumerated() where screen.edges.isEmpty {
      #expect(screen.outcome != .unspecified, "row \(row)")
    }
    var changed = true
    while changed {
      changed = false
      for (row, screen) in table.enumerated()
      where !reaches[row] && screen.edges.contains(where: { reaches[Int($0.successor)] }) {
        reaches[row] = true
        changed = true
      }
    }
    #expect(reaches.allSatisfy { $0 })
  }

  @Test("outcomes and results say exactly what happened, and no mandatory step is skipped", arguments: seeds)
  func results(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    for _ in 0..<Self.walksPerFlow {
      var walker = Walker(engine, birthDate: flow.birthDate)
      if flow.chance(1, of: 2) { walker.hasConsented(flow.earlierConsents()) }
      var done = Deeds()
      while walker.outcome == .unspecified, done.count < 400 {
        let screen = walker.screen
        let action = choose(on: screen, &flow)
        try walker.act(action, proof: SignatureProof(field: .example, authentication: .example))
        done.note(action, on: screen, hasAsked: walker.screen.alert?.kind == .earlierConsent)
        checkSentences(of: walker)
        for outcome in [SessionOutcome.expired, .abandoned, .stopped, .needsAttention] {
          var ended = walker
          ended.end(as: outcome)
          checkSentences(of: ended)
        }
      }
      if walker.screen.offered.contains(.done) { try walker.act(.done) }
      checkSentences(of: walker)
      check(walker.state, against: done, flow)
    }
  }

  @Test("an action that is not offered is refused and changes nothing", arguments: seeds)
  func unoffered(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    var walker = Walker(engine, birthDate: flow.birthDate)
    for _ in 0..<60 where walker.state.position?.closed != true {
      let screen = walker.screen
      for kind in ActionKind.allCases where !screen.offered.contains(kind) {
        let before = walker.state
        let refusal = #expect(throws: Refusal.self) { try walker.act(Walker.filled(kind, on: screen)) }
        #expect(refusal?.rule == "not_offered")
        #expect(walker.state == before)
      }
      try walker.act(choose(on: screen, &flow), proof: SignatureProof(field: .example, authentication: .example))
    }
  }

  @Test("a client of any schema has a way on from every screen before the end, with a button for it", arguments: seeds)
  func schemas(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    let proof = SignatureProof(field: .example, authentication: .example)
    for _ in 0..<Self.walksPerFlow {
      var walker = Walker(engine, birthDate: flow.birthDate)
      for _ in 0..<200 where walker.outcome == .unspecified {
        for schema in 1...ScreenSchema.newest {
          let screen = ScreenSchema.screen(walker.screen, for: schema, texts: engine.script.texts)
          #expect(screen.schemaVersion <= schema, "\(screen.id)")
          #expect(!screen.offered.isEmpty, "schema \(schema): \(screen.id) offers nothing")
          // What a client does not know it cannot do: what it does know is a button, and does what it says.
          guard screen.kind == .plain else { continue }
          let bar = [screen.navigationBar?.leading, screen.navigationBar?.trailing].compactMap(\.self)
          let buttons = (bar + (screen.alert?.buttons ?? [])).filter(\.enabled).map(\.action)
          #expect(Set(buttons) == Set(screen.offered), "schema \(schema): \(screen.id) \(buttons) \(screen.offered)")
          for action in screen.offered {
            var other = walker
            try other.act(FlowAction(kind: action), proof: proof)
          }
        }
        try walker.act(choose(on: walker.screen, &flow), proof: proof)
      }
    }
  }

  @Test("Back is the inverse of going on inside a modal", arguments: seeds)
  func backIsInverse(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    let proof = SignatureProof(field: .example, authentication: .example)
    for _ in 0..<Self.walksPerFlow {
      var walker = Walker(engine, birthDate: flow.birthDate)
      for _ in 0..<120 where walker.outcome == .unspecified {
        let before = walker.screen
        let attempts = walker.state.attempts.count
        let action = choose(on: before, &flow)
        try walker.act(action, proof: proof)
        let after = walker.screen
        // A failed attempt leads back automatically, and an alert covers its own screen: neither goes on.
        let wentOn = ![.back, .cancel, .dismiss, .scrolledToEnd, .agree, .deny].contains(action.kind)
        let hasFailed = walker.state.attempts.count > attempts && walker.state.attempts.last?.passed == false
        guard wentOn, !hasFailed, after.offered.contains(.back), after.modalID == before.modalID else { continue }
        var back = walker
        try back.act(.back)
        let expected = before.alert == nil ? before.id : before.id.replacing(suffix: "!confirm_agreement")
        #expect(back.screen.id == expected, "after \(action.kind) on \(before.id)")
        #expect(back.screen.modalID == before.modalID)
        #expect(back.screen.transition == .pop)
      }
    }
  }

  @Test("the offline table agrees with the live engine, action by action", arguments: seeds)
  func offline(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    for _ in 0..<Self.walksPerFlow {
      var walker = Walker(engine, birthDate: flow.birthDate)
      if flow.chance(1, of: 2) { walker.hasConsented(flow.earlierConsents()) }
      let table = try OfflineCompiler.table(of: engine, from: walker.state)
      var row = 0
      for _ in 0..<200 {
        // A table does not know what was answered about optional purposes, and says less of it in the end. It promises
        // that a walk that was quit goes on; the engine alone knows of no time that is left.
        let isEnd = [.completed, .declined, .quit].contains(walker.outcome)
        #expect(walker.screen.withoutEntries.hidingText(isEnd) == table[row].screen?.hidingText(isEnd))
        // What nobody has checked yet is not called complete.
        if walker.outcome == .completed {
          let told = try #require(Catalog.text(.completionOfflineText, language: "en"))
          #expect(table[row].screen?.text.hasPrefix(told) == true)
        }
        #expect(walker.outcome == table[row].outcome)
        #expect(Set(walker.screen.offered) == Set(table[row].edges.map(\.action)))
        guard let kind = walker.screen.offered.randomElement(using: &flow.generator) else { break }
        // The table counts questions as passed and people as of age; so does this walk.
        try walker.act(
          Walker.filled(kind, on: walker.screen), proof: SignatureProof(field: .example, authentication: .example))
        row = Int(try #require(table[row].edges.first { $0.action == kind }).successor)
      }
    }
  }

  @Test(
    "in another language a session continues anywhere, ends, and decides nothing that was not shown",
    arguments: seeds)
  func otherLanguage(seed: UInt64) throws {
    var flow = RandomFlow(seed: seed)
    let engine = try flow.engine()
    let proof = SignatureProof(field: .example, authentication: .example)
    for _ in 0..<Self.walksPerFlow {
      var walker = Walker(engine, birthDate: flow.birthDate)
      for _ in 0..<Int.random(in: 0...60, using: &flow.generator) where walker.outcome == .unspecified {
        try walker.act(choose(on: walker.screen, &flow), proof: proof)
      }
      let step = walker.screen.stepID
      walker.changeLanguage()
      #expect(walker.screen.stepID == step)
      if walker.outcome == .unspecified { #expect(!walker.state.documents.contains { $0.stepID == step }) }
      try walker.goOn()
      #expect(walker.outcome != .unspecified)
      var shown: Set<String> = []
      for change in walker.changes {
        switch change {
        case .reviewShown(_, let hash, _): shown.insert(hash)
        case .documentDecided(let result): #expect(shown.contains(result.shownHash))
        default: break
        }
      }
    }
  }

  // MARK: Helpers

  /// An action that the screen offers: mostly one that goes on, sometimes any, sometimes a wrong answer.
  private func choose(on screen: ConsentScreen, _ flow: inout RandomFlow) -> FlowAction {
    guard !flow.chance(1, of: 3), let any = screen.offered.randomElement(using: &flow.generator) else {
      return Walker.goodAction(on: screen)
    }
    return Walker.filled(any, on: screen, right: flow.chance(1, of: 2))
  }

  /// Nothing is said to be signed that is not, nothing is said to be unsigned that is, and no button can be pressed
  /// whose action would be refused.
  private func checkSentences(of walker: Walker) {
    let screen = walker.screen
    let hasSigned = walker.changes.contains { change in
      if case .documentDecided(let result) = change { result.agreed } else { false }
    }
    let said = "\(screen.text)\n\(screen.alert?.message ?? "")"
    func says(_ keys: [TextKey]) -> Bool { keys.contains { said.contains(Catalog.text($0, language: "en") ?? "?") } }
    let unsigned: [TextKey] = [.declinedText, .endedQuit, .quitMessage]
    let signed: [TextKey] = [.declinedTextSigned, .endedQuitSigned, .quitMessageSigned, .endedSigned]
    #expect(!hasSigned || !says(unsigned), "\(screen.id) says: \(said)")
    #expect(hasSigned || !says(signed), "\(screen.id) says: \(said)")
    // Every end but a good one says that what was signed stays.
    let hasEnded = ![.unspecified, .completed].contains(walker.outcome)
    #expect(!hasEnded || !hasSigned || says(signed), "\(screen.id) says: \(said)")
    // Whether it is in force depends on other signatures and on what is done later.
    #expect(!said.contains("in force"), "\(screen.id) says: \(said)")
    let bar = [screen.navigationBar?.leading, screen.navigationBar?.trailing].compactMap(\.self)
    for button in bar + (screen.toolbar?.buttons ?? []) + (screen.alert?.buttons ?? []) {
      #expect(!button.enabled || screen.offered.contains(button.action), "\(screen.id): \(button.title)")
    }
  }

  private func check(_ state: SessionState, against done: Deeds, _ flow: RandomFlow) {
    #expect(state.forms.map(\.stepID) == done.forms.map(\.step))
    #expect(state.forms.map(\.allowed) == done.forms.map(\.allowed))
    switch state.outcome {
    case .completed, .declined:
      let optional = flow.optionalReviews
      let isDeclined = state.documents.contains { !$0.agreed && !optional.contains($0.stepID) }
      let isNothing = !state.documents.isEmpty && state.documents.allSatisfy { !$0.agreed }
      #expect((isDeclined || isNothing) == (state.outcome == .declined))
      #expect(done.confirmedQuit == false && done.confirmedDenial == false)
    case .quit: #expect(done.confirmedQuit)
    case .denied: #expect(done.confirmedDenial)
    case .failedQuestions: #expect(state.attempts.last?.passed == false)
    case .underAge: #expect(flow.birthDate != nil)
    default: break
    }
    guard state.outcome == .completed else { return }
    for step in flow.definition.steps {
      #expect(state.steps.contains { $0.stepID == step.id && $0.finished }, "\(step.id)")
      switch step.step {
      case .form(let form) where form.condition == .mandatory:
        #expect(state.forms.contains { $0.stepID == step.id && $0.allowed })
      case .review(let review) where !review.optional:
        #expect(state.documents.contains { $0.documentID == review.documentID && $0.agreed })
        #expect(done.agreed.contains(step.id))
      case .sharing(let sharing): #expect(state.sharing.contains { $0.documentID == sharing.documentID })
      case .question(let quiz) where !quiz.documentID.isEmpty:
        #expect(state.attempts.contains { $0.documentID == quiz.documentID && $0.passed })
      default: break
      }
    }
  }
}

/// What a walk did, recorded outside the engine.
private struct Deeds {
  var count = 0
  var forms: [(step: String, allowed: Bool)] = []
  var agreed: Set<String> = []
  var confirmedQuit = false
  var confirmedDenial = false

  /// - Parameter hasAsked: whether the action led to the question about an earlier consent.
  mutating func note(_ action: FlowAction, on screen: ConsentScreen, hasAsked: Bool) {
    count += 1
    switch (action.kind, screen.alert?.kind) {
    case (.allow, _): forms.append((screen.stepID, true))
    case (.notNow, _) where !hasAsked: forms.append((screen.stepID, false))
    case (.confirm, .earlierConsent) where screen.kind == .form: forms.append((screen.stepID, false))
    case (.confirm, .consentNeeded):
      forms.append((screen.stepID, false))
      confirmedDenial = true
    case (.confirm, .quit): confirmedQuit = true
    case (.confirm, .confirmAgreement): agreed.insert(screen.stepID)
    default: break
    }
  }
}

extension ConsentScreen {
  fileprivate var withoutEntries: ConsentScreen {
    var screen = self
    screen.entries = nil
    return screen
  }

  /// - Parameter isHidden: whether the text is left out.
  fileprivate func hidingText(_ isHidden: Bool) -> ConsentScreen {
    var screen = self
    if isHidden { (screen.text, screen.ways) = ("", []) }
    return screen
  }
}

extension String {
  fileprivate func replacing(suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
