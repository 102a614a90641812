import Base
import ConsentContract
import ConsentService
import ServicePolicy
import Testing
import Wire

/// ResearchKit's rules for walking through a document, and the product's own.
@Suite("Document consent")
struct DocumentFlowTests {
  private func walker(
    settings: DocumentSettings = Example.settings(), locale: String = "en", birthDate: CalendarDate? = nil,
    steps: [String] = []
  ) throws -> Walker {
    var flow = Example.flow()
    if !steps.isEmpty { flow.steps.removeAll { !steps.contains($0.id) && $0.id != "end" } }
    return Walker(
      try Example.engine(flow, settings: settings, locale: locale, birthDate: birthDate), birthDate: birthDate)
  }

  private func reviewing(_ change: (inout DocumentSettings) -> Void = { _ in }) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    change(&settings)
    return try walker(settings: settings, steps: ["review"])
  }

  // MARK: Visual sections

  @Test("visual consent shows all but OnlyInDocument, in order, with title and summary")
  func visualSections() throws {
    var walker = try walker(steps: ["sections"])
    var seen: [ConsentScreen] = []
    while walker.screen.kind == .visual {
      seen.append(walker.screen)
      try walker.act(.next)
    }
    #expect(
      seen.map(\.title) == [
        "Welcome", "Data Gathering", "Privacy", "Data Use", "Time Commitment", "Study Survey", "Study Tasks",
        "Withdrawing", "Our promise",
      ])
    #expect(seen.map(\.text) == (1...9).map { "Summary \($0)" })
    #expect(seen.prefix(8).allSatisfy { $0.image?.predefined != .unspecified && $0.image?.alt.isEmpty == false })
    #expect(seen[8].image == nil)
  }

  @Test("the screen says which transition applies: animated where predefined sections follow each other in their order")
  func transitions() throws {
    var settings = Example.settings()
    settings.sections = [.overview, .dataGathering, .dataUse, .custom, .withdrawing].map {
      DocumentSection(id: Example.sectionID($0), type: $0)
    }
    var walker = try walker(settings: settings, steps: ["sections"])
    var seen = [walker.screen.transition]
    for _ in 0..<4 { seen.append(try walker.act(.next).transition) }
    #expect(seen == [.slideUp, .section, .push, .push, .push])
    #expect(try walker.act(.back).transition == .pop)
  }

  @Test("learn more opens htmlContent, else content; a section may override the button's title")
  func learnMore() throws {
    let engine = try Example.engine(Example.flow()) { text in
      text.sections[1].htmlContent = "<p>html</p>"
      text.sections[1].learnMoreTitle = "How?"
    }
    var walker = Walker(engine)
    let first = try walker.act(.next)
    #expect(first.learnMore == LearnMore(title: "Learn more", text: "Content 1 & more\nsecond line"))
    #expect(
      try walker.act(.next).learnMore
        == LearnMore(title: "How?", html: "<div lang=\"en\" dir=\"ltr\"><p>html</p></div>"))
  }

  @Test("a document may override a predefined image")
  func ownImage() throws {
    var settings = Example.settings()
    settings.sections[0].imageAsset = "hash"
    let walker = try walker(settings: settings, steps: ["sections"])
    #expect(walker.screen.image?.asset == "hash" && walker.screen.image?.predefined == .unspecified)
  }

  // MARK: Questions

  @Test("questions are scored on the server, attempts are kept, and below the pass mark they are asked again")
  func retry() throws {
    var walker = try walker(steps: ["quiz"])
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    let again = try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(again.questions.map(\.id) == ["leave"])
    #expect(again.entries?.notice == "1 of 2 answers were right. Please read again and try once more.")
    #expect(again.entries?.attemptsLeft == 1)
    #expect(again.entries?.answers.first?.choiceIDs == ["never"])
    try walker.act(Walker.filled(.answer, on: walker.screen))
    try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(walker.state.attempts.map(\.score) == [1, 2])
    #expect(walker.state.attempts.map(\.passed) == [false, true])
    #expect(walker.outcome == .completed)
  }

  @Test("when no attempt is left the session ends")
  func attemptsExhausted() throws {
    var walker = try walker(steps: ["quiz"])
    for _ in 0..<4 { try walker.act(Walker.filled(.answer, on: walker.screen, right: false)) }
    #expect(walker.outcome == .failedQuestions)
    #expect(walker.screen.offered.isEmpty)
  }

  @Test("after a failed attempt the sections are shown again where the document says so")
  func restudy() throws {
    var settings = Example.settings()
    settings.comprehension?.afterFailedAttempt = .restudy
    var walker = try walker(settings: settings, steps: ["sections", "quiz"])
    try walker.goOn { $0.kind == .questions }
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    let screen = try walker.act(Walker.filled(.answer, on: walker.screen))
    #expect(screen.stepID == "sections" && screen.title == "Welcome")
  }

  @Test("questions that were passed stay passed: going back costs no attempt")
  func passedStays() throws {
    var walker = try walker(steps: ["quiz", "sharing"])
    try walker.goOn { $0.kind == .sharing }
    try walker.act(.back)
    #expect(walker.screen.kind == .questions)
    try walker.act(Walker.filled(.answer, on: walker.screen, right: false))
    #expect(walker.screen.kind == .sharing)
    #expect(walker.state.attempts.count == 1)
  }

  @Test("no screen and no offline table holds the right answers")
  func answersStaySecret() throws {
    let walker = try walker()
    let table = try OfflineCompiler.table(of: walker.engine, from: walker.state)
    #expect(table.contains { $0.screen?.kind == .questions })
    let text = "\(table)"
    #expect(!text.contains("correct") && !text.contains("acceptedAnswers"))
  }

  @Test(
    "answers are checked against what the screen asks",
    arguments: [
      ("unknown_question", [QuestionAnswer(questionID: "nobody")]),
      ("unknown_choice", [QuestionAnswer(questionID: "leave", choiceIDs: ["later"])]),
      ("one_choice_only", [QuestionAnswer(questionID: "leave", choiceIDs: ["any-time", "never"])]),
      ("answer_missing", []),
      (
        "duplicate_answer",
        [QuestionAnswer(questionID: "leave", choiceIDs: ["never"]), QuestionAnswer(questionID: "leave")]
      ),
    ])
  func badAnswers(rule: String, answers: [QuestionAnswer]) throws {
    var walker = try walker(steps: ["quiz"])
    let before = walker.state
    let refusal = #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: answers)) }
    #expect(refusal?.rule == rule)
    #expect(walker.state == before)
  }

  // MARK: Sharing

  @Test("sharing is a single choice, widely or with the investigator only, and cannot be skipped")
  func sharing() throws {
    var walker = try walker(steps: ["sharing"])
    #expect(walker.screen.sharingOptions.map(\.choice) == [.wide, .investigatorOnly])
    #expect(walker.screen.sharingOptions[0].text.contains("Uni and partners"))
    #expect(walker.screen.learnMore?.html.contains("<p>More about sharing</p>") == true)
    #expect(!walker.screen.offered.contains(.next))
    #expect(#expect(throws: Refusal.self) { try walker.act(.share) }?.rule == "sharing_not_chosen")
    try walker.act(FlowAction(kind: .share, sharing: .investigatorOnly))
    #expect(walker.state.sharing == [SharingResult(documentID: Example.documentID, choice: .investigatorOnly)])
  }

  // MARK: Review

  @Test("review order: read, agree with the reason for consent, name, signature")
  func reviewOrder() throws {
    var walker = try reviewing()
    #expect(walker.screen.kind == .review)
    let asked = try walker.act(.scrolledToEnd, .agree)
    #expect(asked.alert?.kind == .confirmAgreement)
    #expect(asked.alert?.message == "You want to take part.")
    #expect(try walker.act(.confirm).kind == .name)
    #expect(try walker.act(Walker.filled(.enterName, on: walker.screen)).kind == .signature)
    #expect(walker.screen.signatureForm?.meaning == "I agree to take part.")
    try walker.act(Walker.filled(.sign, on: walker.screen))
    #expect(walker.outcome == .completed)
    #expect(walker.state.signatures.map(\.signatureID) == ["participant"])
    #expect(walker.state.signatures.first?.name == PersonName(given: "Ada", family: "Lovelace"))
  }

  @Test("the agree button waits until the document has been read to its end; the gate can be switched off")
  func scrollGate() throws {
    var gated = try reviewing()
    #expect(!gated.screen.offered.contains(.agree))
    #expect(gated.screen.toolbar?.buttons.first { $0.action == .agree }?.enabled == false)
    #expect(#expect(throws: Refusal.self) { try gated.act(.agree) }?.rule == "not_offered")
    #expect(try gated.act(.scrolledToEnd).offered.contains(.agree))
    let open = try reviewing { $0.withoutScrollGate = true }
    #expect(open.screen.offered.contains(.agree))
  }

  @Test("Disagree records declined, asks for no signature and goes to the completion")
  func disagree() throws {
    var walker = try reviewing()
    let screen = try walker.act(.disagree)
    #expect(walker.outcome == .declined)
    #expect(screen.kind == .completion && screen.title == "You declined")
    #expect(walker.state.documents.map(\.agreed) == [false])
    #expect(walker.state.signatures.isEmpty)
    #expect(walker.changes.contains { if case .documentDecided(let result) = $0 { !result.agreed } else { false } })
  }

  @Test("disagreeing after going back clears name and image")
  func disagreeClears() throws {
    var walker = try reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm)
    try walker.act(Walker.filled(.enterName, on: walker.screen))
    try walker.act(.back, .back, .disagree)
    #expect(walker.state.pendingNames.isEmpty && walker.state.signatures.isEmpty)
    #expect(walker.outcome == .declined)
  }

  @Test(
    "a review may need agreement only, a name only, or an image only",
    arguments: [
      (false, false, [ScreenKind.review]), (true, false, [.review, .name]), (false, true, [.review, .signature]),
    ])
  func reviewShapes(name: Bool, image: Bool, kinds: [ScreenKind]) throws {
    var walker = try reviewing { settings in
      settings.signatures[0].requiresName = name
      settings.signatures[0].requiresImage = image
    }
    var seen: [ScreenKind] = []
    while walker.outcome == .unspecified {
      if seen.last != walker.screen.kind { seen.append(walker.screen.kind) }
      try walker.act(Walker.goodAction(on: walker.screen))
    }
    #expect(seen == kinds)
    #expect(walker.state.signatures.map(\.signatureID) == ["participant"])
    #expect(walker.state.signatures.first?.name != nil || !name)
  }

  @Test("leaving in the middle of a review records no decision")
  func quitInReview() throws {
    var walker = try reviewing()
    try walker.act(.scrolledToEnd, .agree, .confirm, .cancel, .confirm)
    #expect(walker.outcome == .quit)
    #expect(!walker.changes.contains { if case .documentDecided = $0 { true } else { false } })
  }

  @Test("a typed signature satisfies a required image, unless the document refuses it")
  func typed() throws {
    var walker = try reviewing { $0.signatures[0].refusesTyped = true }
    try walker.goOn { $0.kind == .signature }
    #expect(walker.screen.signatureForm?.typedAllowed == false)
    let typed = FlowAction(
      kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: "Ada", font: "plain"))))
    #expect(#expect(throws: Refusal.self) { try walker.act(typed) }?.rule == "typed_signature_refused")
    let drawn = FlowAction(
      kind: .sign, signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1))))
    #expect(#expect(throws: Refusal.self) { try walker.act(drawn) }?.rule == "signature_not_saved")
    #expect(#expect(throws: Refusal.self) { try walker.act(.sign) }?.rule == "signature_missing")
    let typedInField = SavedField(
      fieldID: "f", place: SignaturePlace(), isClosed: false, revision: 1, savedSignatureID: "t", hash: "ab",
      isTyped: true)
    let refusal = #expect(throws: Refusal.self) { try walker.act(drawn, proof: SignatureProof(field: typedInField)) }
    #expect(refusal?.rule == "typed_signature_refused")
    try walker.act(drawn, proof: SignatureProof(field: .example))
    #expect(walker.state.signatures.first?.strokesHash == "ab")
    #expect(walker.state.signatures.first?.savedSignatureID == "saved-f")
  }

  @Test("the signer authenticates again where the document asks for it, and the verified assertion is kept")
  func reauthentication() throws {
    var walker = try reviewing { $0.signatures[0].requiresReauthentication = true }
    try walker.goOn { $0.kind == .signature }
    let action = Walker.filled(.sign, on: walker.screen)
    #expect(#expect(throws: Refusal.self) { try walker.act(action) }?.rule == "reauthentication_required")
    try walker.act(action, proof: SignatureProof(authentication: .example))
    #expect(walker.state.signatures.first?.authentication == .example)
  }

  @Test("signing outside the ethics approval, before the offer and after it is refused, each with its own error")
  func dates() throws {
    let now = Example.now
    let cases: [(String, (inout DocumentSettings) -> Void)] = [
      (
        "outside_ethics_approval",
        { $0.ethics = EthicsApproval(number: "1", committee: "c", validUntil: Timestamp(now)) }
      ),
      (
        "outside_ethics_approval",
        { $0.ethics = EthicsApproval(number: "1", committee: "c", validFrom: Timestamp(now + .seconds(100))) }
      ),
      ("not_offered_now", { $0.validity = ValidityPeriod(offeredFrom: Timestamp(now + .seconds(100))) }),
      ("not_offered_now", { $0.validity = ValidityPeriod(offeredUntil: Timestamp(now)) }),
    ]
    for (rule, change) in cases {
      var walker = try reviewing(change)
      try walker.act(.scrolledToEnd)
      let before = walker.state
      #expect(#expect(throws: Refusal.self) { try walker.act(.agree) }?.rule == rule)
      #expect(walker.state == before)
    }
  }

  @Test("signing below the pass mark is refused even where a flow forgot the questions")
  func belowPassMark() throws {
    var walker = try walker(steps: ["review"])
    try walker.act(.scrolledToEnd)
    #expect(#expect(throws: Refusal.self) { try walker.act(.agree) }?.rule == "below_pass_mark")
  }

  // MARK: Age

  private func aged(_ birthDate: CalendarDate?) throws -> Walker {
    var settings = Example.settings()
    settings.comprehension = nil
    settings.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    settings.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true))
    return try walker(settings: settings, birthDate: birthDate, steps: ["review"])
  }

  @Test("under the minimum age the session ends before anything is read")
  func tooYoung() throws {
    let walker = try aged(CalendarDate(year: 2020, month: 3, day: 2))
    #expect(walker.outcome == .underAge)
    #expect(walker.screen.text == "You are too young to take part.")
  }

  @Test(
    "a minor's guardian signs, with the stated authority, and from an age the minor assents",
    arguments: [
      (2016, ["guardian"]), (2010, ["guardian", "participant"]), (2000, ["participant"]),
    ])
  func minors(year: Int, signers: [String]) throws {
    var walker = try aged(CalendarDate(year: Int32(year), month: 1, day: 1))
    var authority = ""
    try walker.goOn { screen in
      if screen.signatureForm?.signatureID == "guardian" { authority = screen.signatureForm?.authority ?? "" }
      return false
    }
    #expect(walker.state.signatures.map(\.signatureID) == signers)
    #expect(authority.isEmpty == !signers.contains("guardian"))
  }

  @Test("a birth date that is not known is asked for before the document is read")
  func birthDateAsked() throws {
    var walker = try aged(nil)
    #expect(walker.screen.questions.map(\.kind) == [.birthDate])
    let young = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2024, month: 1, day: 1))
    let never = QuestionAnswer(questionID: "birth-date", date: CalendarDate(year: 2023, month: 2, day: 29))
    #expect(
      #expect(throws: Refusal.self) { try walker.act(FlowAction(kind: .answer, answers: [never])) }?.rule
        == "no_such_day")
    try walker.act(FlowAction(kind: .answer, answers: [young]))
    #expect(walker.outcome == .underAge)
  }

  // MARK: Results and locale

  @Test("results per step, with start and end times")
  func results() throws {
    var walker = try walker()
    try walker.goOn()
    #expect(walker.state.steps.map(\.stepID) == ["hello", "sections", "quiz", "sharing", "review", "end"])
    for step in walker.state.steps {
      #expect(step.finished && step.startedAt != nil && step.endedAt.orEpoch >= step.startedAt.orEpoch, "\(step)")
    }
    for (earlier, later) in zip(walker.state.steps, walker.state.steps.dropFirst()) {
      #expect(earlier.endedAt == later.startedAt)
    }
  }

  @Test("every screen is in the person's locale")
  func german() throws {
    let walker = try walker(locale: "de", steps: ["sections"])
    #expect(walker.screen.title == "Willkommen")
    #expect(walker.screen.toolbar?.buttons.map(\.title) == ["Weiter"])
  }

  @Test("right to left is marked on the screen, and left to right on a text that was not translated")
  func rightToLeft() throws {
    var flow = Example.flow()
    flow.steps.removeAll { !["sections", "end"].contains($0.id) }
    let translated = Walker(try Example.engine(flow, locale: "ar") { $0.locale = "ar" })
    #expect(translated.screen.rightToLeft && translated.screen.title == "مرحبًا")
    let english = try walker(locale: "ar", steps: ["sections"])
    #expect(!english.screen.rightToLeft && english.screen.title == "Welcome" && english.screen.locale == "en")
    let arabic = try #require(english.screen.languages.first { $0.locale == "ar" })
    #expect(arabic.rightToLeft && arabic.fields.contains("toolbar.buttons[next]"))
  }

  @Test("an older client gets a plain screen instead of one that it does not know, never a wrong one")
  func schema() throws {
    let walker = try walker(steps: ["sharing"])
    let texts = ScreenTexts(locale: try .of("en"), standIn: try .of("en"))
    let plain = ScreenSchema.screen(walker.screen, for: 1, texts: texts)
    #expect(plain.kind == .plain && plain.schemaVersion == 1)
    #expect(plain.offered == [.cancel] && plain.sharingOptions.isEmpty && plain.toolbar == nil)
    for newest in [ScreenSchema.newest, 0] {
      #expect(ScreenSchema.screen(walker.screen, for: newest, texts: texts) == walker.screen)
    }
  }
}
