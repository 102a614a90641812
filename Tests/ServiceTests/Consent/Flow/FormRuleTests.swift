import ConsentContract
import ConsentDomain
import ServicePolicy
import Testing

/// SAP Fiori's consent form rules, one by one.
@Suite("Consent forms")
struct FormRuleTests {
  private func walker(_ forms: FlowStep...) throws -> Walker {
    var definition = Example.forms()
    definition.steps.insert(contentsOf: forms, at: 0)
    return Walker(try Example.engine(definition))
  }

  @Test(
    "a single form is a modal of its own, without a title, with Cancel and both actions at once",
    arguments: [
      (FormCondition.optional, ActionKind.notNow), (.mandatory, .deny),
    ])
  func single(condition: FormCondition, refuse: ActionKind) throws {
    let screen = try walker(Example.form("location", condition)).screen
    #expect(screen.transition == .slideUp)
    #expect(screen.navigationBar?.title == "")
    #expect(screen.navigationBar?.pageCount == 0)
    #expect(screen.navigationBar?.leading?.action == .cancel)
    #expect(screen.navigationBar?.trailing == nil)
    #expect(screen.toolbar?.buttons.map(\.action) == [refuse, .allow])
    #expect(Set(screen.offered) == [.cancel, refuse, .allow])
  }

  @Test("several single forms are several modals, one after another")
  func severalSingles() throws {
    var walker = try walker(Example.form("a"), Example.form("b"), Example.form("c"))
    var modals = [walker.screen.modalID]
    for _ in 0..<2 {
      let screen = try walker.act(.allow)
      #expect(screen.transition == .nextModal)
      modals.append(screen.modalID)
    }
    #expect(Set(modals).count == 3)
  }

  @Test("single and sequential forms never share a modal, and each sequential form is one")
  func modals() throws {
    var walker = try walker(
      Example.form("a"), Example.form("b", pages: 2), Example.form("c", pages: 2), Example.form("d"))
    var modals: [String: Set<String>] = [:]
    while walker.outcome == .unspecified {
      modals[walker.screen.stepID, default: []].insert(walker.screen.modalID)
      try walker.act(Walker.goodAction(on: walker.screen))
    }
    #expect(modals.values.allSatisfy { $0.count == 1 })
    #expect(Set(modals.values.flatMap { $0 }).count == 4)
  }

  @Test(
    "sequential: page x of n, Cancel on the first page, Back to the title before, Next until the last, and only there the toolbar"
  )
  func sequential() throws {
    var walker = try walker(Example.form("terms", pages: 3, .mandatory))
    let first = walker.screen
    #expect(first.transition == .slideUp)
    #expect(first.navigationBar?.pageLabel == "1 of 3")
    #expect(first.navigationBar?.leading?.action == .cancel)
    #expect(first.navigationBar?.trailing?.action == .next)
    #expect(first.toolbar == nil)

    let second = try walker.act(.next)
    #expect(second.transition == .push)
    #expect(second.navigationBar?.page == 2)
    #expect(second.navigationBar?.leading == ScreenButton(action: .back, title: "Back to terms title 1", enabled: true))
    #expect(second.toolbar == nil)
    #expect(second.offered == [.back, .next])

    let third = try walker.act(.next)
    #expect(third.navigationBar?.leading?.title == "Back to terms title 2")
    #expect(third.navigationBar?.trailing == nil)
    #expect(third.toolbar?.buttons.map(\.action) == [.deny, .allow])

    let back = try walker.act(.back)
    #expect(back.transition == .pop)
    #expect(back.id == second.id)
  }

  @Test("at the end the modal slides down")
  func end() throws {
    var walker = try walker(Example.form("a"))
    let last = try walker.act(.allow, .done)
    #expect(last.transition == .slideDown)
    #expect(last.offered.isEmpty)
  }

  @Test("optional: Not Now and Allow move on without an alert", arguments: [ActionKind.notNow, .allow])
  func optionalMovesOn(action: ActionKind) throws {
    var walker = try walker(Example.form("a"), Example.form("b"))
    let screen = try walker.act(action)
    #expect(screen.alert == nil)
    #expect(screen.stepID == "b")
    #expect(walker.state.forms.map(\.allowed) == [action == .allow])
  }

  @Test("mandatory: Allow moves on without an alert")
  func mandatoryAllow() throws {
    var walker = try walker(Example.form("a", .mandatory), Example.form("b"))
    let screen = try walker.act(.allow)
    #expect(screen.alert == nil && screen.stepID == "b")
  }

  @Test("Deny on a mandatory form asks before it ends onboarding")
  func denyAsks() throws {
    var walker = try walker(Example.form("a", .mandatory))
    let screen = try walker.act(.deny)
    #expect(screen.alert?.kind == .consentNeeded)
    #expect(screen.alert?.message == "You must give consent to continue with onboarding.")
    #expect(screen.alert?.buttons.count == 2)
    #expect(walker.outcome == .unspecified)
  }

  @Test("in the deny alert, one choice returns to consent")
  func denyDismissed() throws {
    var walker = try walker(Example.form("a", .mandatory))
    let before = walker.screen.id
    let screen = try walker.act(.deny, .dismiss)
    #expect(screen.id == before && screen.alert == nil)
    #expect(walker.state.forms.isEmpty)
  }

  @Test(
    "the other choice confirms the denial and ends onboarding early; the denial and earlier decisions are on record"
  )
  func denyConfirmed() throws {
    var walker = try walker(Example.form("a"), Example.form("b", .mandatory), Example.form("c"))
    let screen = try walker.act(.allow, .deny, .confirm)
    #expect(walker.outcome == .denied)
    #expect(screen.offered.isEmpty && screen.transition == .slideDown)
    #expect(walker.state.forms.map(\.stepID) == ["a", "b"])
    #expect(walker.state.forms.map(\.allowed) == [true, false])
    #expect(walker.changes.count { if case .formDecided = $0 { true } else { false } } == 2)
  }

  @Test(
    "Cancel raises an alert asking whether to quit, in optional and in mandatory forms",
    arguments: [FormCondition.optional, .mandatory])
  func cancel(condition: FormCondition) throws {
    var walker = try walker(Example.form("a", condition))
    let screen = try walker.act(.cancel)
    #expect(screen.alert?.kind == .quit)
    #expect(screen.alert?.buttons.map(\.title) == ["No", "Yes"])
    #expect(screen.offered == [.dismiss, .confirm])
  }

  @Test("in the quit alert, No stays and Yes ends")
  func quit() throws {
    var walker = try walker(Example.form("a"))
    #expect(try walker.act(.cancel, .dismiss).alert == nil)
    #expect(walker.outcome == .unspecified)
    try walker.act(.cancel, .confirm)
    #expect(walker.outcome == .quit)
  }

  @Test("the outcome lists the forms allowed, truthfully")
  func outcome() throws {
    var walker = try walker(Example.form("a"), Example.form("b"), Example.form("c", .mandatory))
    try walker.act(.allow, .notNow, .allow)
    #expect(walker.outcome == .completed)
    #expect(walker.state.forms.filter(\.allowed).map(\.purpose) == ["a", "c"])
  }

  @Test(
    "layout values for the client: 64 points for the learn-more link, 252 and 48 at the sides, a shadow while scrolled"
  )
  func presentation() throws {
    let walker = try walker(Example.form("a"))
    #expect(
      walker.screen.layout == ScreenLayout(learnMorePadding: 64, regularLandscapeMargin: 252, regularPortraitMargin: 48)
    )
    #expect(walker.screen.navigationBar?.shadowWhileScrolled == true)
    let html = "<div lang=\"en\" dir=\"ltr\"><p>more</p></div>"
    #expect(walker.screen.learnMore == LearnMore(title: "Learn more", html: html))
  }

  @Test("an action that the screen does not offer is refused, with what is offered")
  func notOffered() throws {
    var walker = try walker(Example.form("a", .mandatory))
    let before = walker.state
    let refusal = #expect(throws: Refusal.self) { try walker.act(.next) }
    #expect(refusal?.rule == "not_offered")
    #expect(refusal?.kind == .precondition)
    #expect(refusal?.message == "'next' is not offered on screen 'a/page-1'; offered: cancel, deny, allow")
    #expect(walker.state == before)
  }
}
