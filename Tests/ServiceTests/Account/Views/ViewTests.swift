import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import Testing

@Suite("Screens of accounts") struct ViewTests {
  private static let kinds: [AccountViewKind] = [
    .signIn, .switch, .onboarding, .setPasscode, .confirmPasscode, .recoveryCode, .forgotPasscode, .changePasscode,
    .locked, .sync, .syncDone, .connectionError, .userError, .linkCode, .enterCode, .failedItems,
  ]

  private static let anna = ListedPerson(personID: "a", profile: PersonProfile(title: "Anna", initials: "A"))

  private func view(
    _ kind: AccountViewKind, _ locale: String = "en", request change: (inout GetAccountViewRequest) -> Void = { _ in },
    facts changeFacts: (inout ViewFacts) -> Void = { _ in }
  ) -> AccountView {
    let blocked = AffectedPerson(person: Self.anna, rule: "grant_expired", step: .signIn, name: "Anna")
    var request = GetAccountViewRequest(kind: kind, locale: locale, recoveryCode: "ABCDE-FGHJK", blocked: blocked)
    var facts = ViewFacts()
    facts.person = Self.anna
    facts.application = "Heart"
    change(&request)
    changeFacts(&facts)
    return ViewBuilder(AccountTexts(locale: locale)).view(request, facts)
  }

  @Test("every screen is whole in every language, with a way on or out", arguments: AccountTexts.languages, kinds)
  func whole(language: String, kind: AccountViewKind) {
    let view = view(kind, language)
    #expect(view.kind == kind && view.locale == language && view.rightToLeft == (language == "ar"))
    let buttons = [view.leading].compactMap(\.self) + view.trailing + view.buttons
    #expect(!buttons.isEmpty)
    let words = buttons.map(\.title) + view.fields.map(\.label) + [view.title, view.description, view.barTitle]
    #expect(
      words.allSatisfy { !$0.contains("{") } && buttons.allSatisfy { !$0.title.isEmpty && $0.action != .unspecified })
    // Three lines of forty characters.
    #expect(view.description.count <= 120)
    // What a button waits for is on the screen.
    #expect(buttons.allSatisfy { Set($0.needsFields).isSubset(of: view.fields.map(\.id)) })
  }

  @Test("every text differs from its key and is there in every language", arguments: AccountTexts.languages)
  func texts(language: String) {
    let texts = AccountTexts(locale: language)
    for key in AccountTextKey.allCases { #expect(!texts[key].isEmpty && texts[key] != key.rawValue) }
  }

  @Test(
    "locales fall back",
    arguments: [
      ("de-AT", "Anmelden", "de-AT"), ("DE", "Anmelden", "DE"), ("pt-BR", "Sign In", "en"), ("", "Sign In", "en"),
    ])
  func fallback(locale: String, words: String, shown: String) {
    let texts = AccountTexts(locale: locale)
    #expect(texts[.signIn] == words && texts.locale == shown)
  }

  @Test("sign-in waits for a passcode, and offers what the person may do")
  func signIn() {
    let view = view(.signIn)
    #expect(view.buttons.map(\.action) == [.signIn, .forgotPasscode, .switch])
    #expect(view.buttons.map(\.needsFields) == [["passcode"], [], []])
    #expect(view.fields.map(\.id) == ["passcode"] && view.fields[0].secure && view.applicationTitle == "Heart")
    #expect(self.view(.signIn, facts: { $0.isSingleUser = true }).buttons.map(\.action) == [.signIn, .forgotPasscode])
    #expect(self.view(.signIn, facts: { $0.person = nil }).buttons.map(\.action) == [.switch])
    #expect(self.view(.signIn, request: { $0.waitSeconds = 90 }).description.contains("1:30"))
    #expect(self.view(.signIn, facts: { $0.policy.digitsOnly = true }).fields[0].digits)
  }

  @Test("where a passcode is set, the whole policy is there, with what tells whether a part is met")
  func policy() throws {
    let all = view(
      .setPasscode,
      facts: { facts in
        facts.policy = PasscodePolicy(
          shortest: 10, needsUpper: true, needsLower: true, needsDigit: true, needsSymbol: true)
      })
    #expect(
      all.rules.map(\.rule) == [
        "passcode_too_short", "passcode_lacks_upper", "passcode_lacks_lower", "passcode_lacks_digit",
        "passcode_lacks_symbol", "passcode_denied",
      ])
    #expect(all.rules[0].text == "At least 10 characters" && all.rules[0].pattern == "^.{10,128}$")
    #expect(all.rules.dropLast().allSatisfy { !$0.pattern.isEmpty } && all.rules.last?.pattern == "")
    let digits = view(.changePasscode, facts: { $0.policy = PasscodePolicy(shortest: 6, digitsOnly: true) })
    #expect(digits.rules.map(\.rule) == ["passcode_too_short", "passcode_not_digits", "passcode_denied"])
    // The server judges by the same rules.
    for (passcode, unmet) in [("ABCDEFGHIJ1!", "lower"), ("abcdefghij1!", "upper"), ("Abcdefghij!", "digit")] {
      let matches = try all.rules.dropLast().filter { try Regex($0.pattern).firstMatch(in: passcode) == nil }
      #expect(matches.map(\.rule) == ["passcode_lacks_\(unmet)"])
    }
  }

  @Test(
    "a screen says what was wrong with the last attempt",
    arguments: [
      ("wrong_passcode", "This is not your passcode"), ("wrong_recovery_code", "This is not your recovery code"),
      ("person_locked", "You are locked out"), ("passcode_must_change", "An administrator gave you"),
      ("passcode_unchanged", "This is the passcode that you have"), ("passcode_denied", "Choose a passcode that"),
      ("", ""), ("unreachable", ""),
    ])
  func problems(rule: String, words: String) {
    for kind in [AccountViewKind.signIn, .locked, .forgotPasscode, .setPasscode, .changePasscode] {
      let problem = view(kind, request: { $0.refusedBy = rule }).problem
      #expect(words.isEmpty ? problem.isEmpty : problem.hasPrefix(words), "\(kind)")
    }
  }

  @Test(
    "Chinese says that it is simplified where traditional was asked for",
    arguments: [("zh-Hant", "zh-Hans"), ("zh-TW", "zh-Hans"), ("zh-Hans-HK", "zh-Hans-HK"), ("zh", "zh")])
  func chinese(locale: String, shown: String) {
    #expect(AccountTexts(locale: locale).locale == shown)
  }

  @Test("the list has its bar, the current person apart, and words for emptiness")
  func list() {
    let view = view(.switch)
    #expect(view.leading?.action == .back && view.trailing.map(\.action) == [.search, .add])
    #expect(view.currentHeading == "Selected User" && view.emptyText.hasPrefix("Nobody else"))
    #expect(self.view(.switch, request: { $0.query = "zoe" }).emptyText == "Nobody was found.")
    #expect(self.view(.switch, facts: { $0.others = [Self.anna] }).emptyText == "")
    #expect(self.view(.switch, facts: { $0.person = nil }).currentHeading == "")
  }

  @Test("sync and its ends")
  func sync() {
    let running = view(
      .sync, request: { $0.progress = SyncProgress(phase: .downloading, completed: 3, total: 9, fraction: 0.6) })
    #expect(running.progress?.fraction == 0.6 && running.description == "3 of 9" && running.leading?.action == .back)
    #expect(view(.connectionError).buttons.map(\.action) == [.tryAgain])
    let blocked = view(.userError)
    #expect(blocked.person == Self.anna && blocked.description.hasPrefix("Anna has work"))
    #expect(blocked.buttons.map(\.action) == [.returnToSignIn] && blocked.leading?.action == .back)
    let conflict = view(.userError, request: { $0.blocked?.step = .decide })
    #expect(conflict.description.hasPrefix("Anna has to decide"))
  }

  @Test("items that failed or are in conflict come with what can be done about them")
  func choices() {
    func actions(_ outcome: ItemOutcome) -> [AccountAction] {
      let shown = view(.failedItems, facts: { $0.items = [outcome] })
      #expect(shown.items.map(\.outcome) == [outcome] && !shown.description.isEmpty && shown.emptyText.isEmpty)
      return shown.items.flatMap(\.buttons).map(\.action)
    }
    #expect(actions(ItemOutcome(state: .failed, retryable: true)) == [.retryItem, .discardItem])
    #expect(actions(ItemOutcome(state: .failed)) == [.discardItem])
    #expect(actions(ItemOutcome(state: .conflict, retryable: true)) == [.takeMine, .takeTheirs])
    #expect(actions(ItemOutcome(state: .conflict)) == [.takeTheirs])
    #expect(view(.failedItems).emptyText == "Nothing is left to decide.")
    let page = view(
      .failedItems,
      facts: {
        $0.items = [ItemOutcome(state: .failed)]
        $0.nextItems = "next"
      })
    #expect(page.nextPageToken == "next" && page.buttons.map(\.action) == [.more])
    let done = view(.syncDone, facts: { $0.items = [ItemOutcome(state: .failed)] })
    #expect(done.buttons.map(\.action) == [.decide, .done] && view(.syncDone).buttons.map(\.action) == [.done])
  }

  @Test("what an item was and why it was not done is said for every method", arguments: AccountTexts.languages)
  func itemWords(language: String) {
    let words = ItemWords(AccountTexts(locale: language))
    func title(_ method: String) -> String { words.filled(ItemOutcome(state: .failed, method: method)).title }
    let other = title("assent.consent.v1.StudyService/CreateStudy")
    for method in UploadableMethod.table { #expect(!title(method.name).isEmpty && title(method.name) != other) }
    let reasons = [
      ItemOutcome(state: .conflict, rule: "stale_version"), ItemOutcome(state: .conflict, rule: "outcome_unknown"),
      ItemOutcome(state: .failed, code: 7, rule: "not_admitted"), ItemOutcome(state: .failed, code: 9, rule: "voided"),
    ]
    #expect(Set(reasons.map { words.filled($0).description }).count == 4)
  }

  @Test("sign-in, onboarding and the entry of a code show the logo; the affected person has words of their own")
  func details() {
    let logo = PictureRuleTests.png(8, 8)
    for kind: AccountViewKind in [.signIn, .locked, .onboarding, .enterCode] {
      let view = view(kind, facts: { $0.logo = logo })
      #expect(view.applicationLogo == logo && view.applicationLogoMediaType == "image/png")
    }
    #expect(view(.sync, facts: { $0.logo = logo }).applicationLogo.isEmpty)
    #expect(view(.signIn).applicationLogoMediaType == "")
    #expect(view(.userError).personDescription == "Ask Anna to sign in on this device.")
    #expect(view(.onboarding).buttons.last?.action == .enterCode)
    let linked = view(.linkCode, request: { $0.linkCode = "ABCDE-FGHJK" })
    #expect(linked.code == "ABCDE-FGHJK" && linked.leading?.action == .back && linked.person == Self.anna)
    let entry = view(.enterCode)
    #expect(entry.fields.map(\.id) == ["code"] && entry.buttons.map(\.needsFields) == [["code"]])
  }

  @Test("what a device shows without a connection has places for what is not known", arguments: AccountTexts.languages)
  func forLater(language: String) {
    var facts = ViewFacts()
    facts.person = Self.anna
    let views = ViewBuilder(AccountTexts(locale: language)).forLater(facts)
    let plain = [views.signIn, views.locked, views.switchList, views.syncDone, views.connectionError]
    #expect(plain.map(\.?.kind) == [.signIn, .locked, .switch, .syncDone, .connectionError])
    for words in plain.map({ $0?.description ?? "" }) { #expect(AccountTexts.places(in: words).isEmpty) }
    #expect(views.signIn?.person == Self.anna && views.locked?.person == Self.anna)
    for (view, phase) in [(views.uploading, SyncPhase.uploading), (views.downloading, .downloading)] {
      #expect(view?.kind == .sync && view?.progress?.phase == phase)
      let words = view?.description ?? ""
      #expect(AccountTexts.places(in: words) == ["completed", "total"])
    }
    let others = [views.signInNeeded, views.decisionNeeded, views.unlockNeeded, views.invitationNeeded]
    for view in others {
      #expect(view?.kind == .userError && view?.person == nil)
      let (words, below) = (view?.description ?? "", view?.personDescription ?? "")
      #expect(AccountTexts.places(in: words) == ["name"] && AccountTexts.places(in: below) == ["name"])
    }
    #expect(Set(others.map { $0?.description }).count == others.count && !views.unnamedText.isEmpty)
    for view in [views.ownSignInNeeded, views.ownDecisionNeeded] {
      let words = view.map { $0.description + $0.personDescription } ?? "{"
      #expect(view?.kind == .userError && !words.isEmpty && AccountTexts.places(in: words).isEmpty)
    }
    #expect(AccountTexts.places(in: views.waitingText) == ["time"])
  }

  @Test("a tenant's own words take the place of ours, in its locale, its language, or a language that we lack")
  func ownTexts() {
    let own = [
      AccountViewText(locale: "de", key: "sign_in", text: "Los"),
      AccountViewText(locale: "de-AT", key: "sign_in", text: "Gemma"),
      AccountViewText(locale: "pt", key: "sign_in", text: "Entrar"),
      AccountViewText(locale: "en", key: "back", text: "Return"),
    ]
    func text(_ key: AccountTextKey, _ locale: String, _ own: [AccountViewText]) -> [String] {
      let texts = AccountTexts(locale: locale, own: own)
      return [texts[key], texts.locale]
    }
    #expect(text(.signIn, "de", own) == ["Los", "de"] && text(.signIn, "de-AT", own) == ["Gemma", "de-AT"])
    #expect(text(.back, "de-AT", own) == ["Zurück", "de-AT"] && text(.signIn, "fr", own) == ["Se connecter", "fr"])
    // Some texts of a language that we lack would stand among English ones.
    #expect(text(.signIn, "pt-BR", own) == ["Sign In", "en"] && text(.back, "pt-BR", own) == ["Return", "en"])
    let all = AccountTextKey.allCases.map { AccountViewText(locale: "he", key: $0.name, text: "א \($0.name)") }
    #expect(text(.signIn, "he", all) == ["א sign_in", "he"])
    #expect(AccountTexts(locale: "he", own: all).isRightToLeft)
  }

  @Test("own words are checked, each with its field, and shown")
  func ownTextsServed() async throws {
    let world = try await AccountWorld()
    _ = try await world.open("Anna")
    let good = AccountViewText(locale: "de", key: "user_error_grant", text: "{name} muss kommen.")
    for (bad, rule) in [
      (AccountViewText(locale: "", key: "sign_in", text: "x"), "bad_locale"),
      (AccountViewText(locale: "de!", key: "sign_in", text: "x"), "bad_locale"),
      (AccountViewText(locale: "de", key: "sign_on", text: "x"), "unknown_key"),
      (AccountViewText(locale: "de", key: "sign_in", text: " "), "missing"),
      (AccountViewText(locale: "de", key: "sign_in", text: String(repeating: "x", count: 601)), "too_long"),
      (AccountViewText(locale: "de", key: "sign_in", text: "a\u{202E}b"), "bad_text"),
      (AccountViewText(locale: "de", key: "sign_in", text: "{name}"), "other_places"),
      (AccountViewText(locale: "de", key: "wait", text: "Warten"), "other_places"),
      (AccountViewText(locale: "DE", key: "user_error_grant", text: "{name}"), "twice"),
    ] {
      await expectRefusal(.invalidArgument, rule) {
        try await world.allowSelfRegistration { $0.viewTexts = [good, bad] }
      }
    }
    try await world.allowSelfRegistration { $0.viewTexts = [good] }
    let views = world.device("tablet").views
    let shown = try await views.getAccountView(
      GetAccountViewRequest(kind: .userError, locale: "de", blocked: AffectedPerson(step: .signIn, name: "Anna")))
    #expect(shown.view?.description == "Anna muss kommen.")
    let later = try await views.getOfflineViews(GetOfflineViewsRequest(locale: "de"))
    #expect(later.signInNeeded?.description == "{name} muss kommen.")
    #expect(later.signIn?.person?.profile?.title == "Anna")
    await world.end()
  }

  @Test("people with large pictures are listed in pages, and shown without those for which there is no room")
  func largePictures() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    try await world.allowSelfRegistration { $0.visibleFields = [.title, .picture] }
    // A picture is looked at by its header and its end.
    let small = PictureRuleTests.png(8, 8)
    let filler = [UInt8](repeating: 0, count: (256 << 10) - small.count)
    let picture = Array(small.dropLast(12)) + filler + Array(small.suffix(12))
    for number in 0..<23 { _ = try await world.onboard("Extra \(number)") }
    let listed = try await world.list().others.map(\.personID)
    for person in listed {
      _ = try await world.person(person).people.updateProfile(
        UpdateProfileRequest(profile: PersonProfile(title: "Somebody", picture: picture, revision: 1)))
    }
    var (found, pages, token) = ([ListedPerson](), 0, "")
    repeat {
      let page = try await world.device("tablet").people.listPeople(
        ListPeopleRequest(pageSize: 1000, pageToken: token))
      (found, pages, token) = (found + page.others, pages + 1, page.nextPageToken)
    } while !token.isEmpty
    #expect(pages == 2 && found.map(\.personID) == listed && listed.contains(anna))
    #expect(found.allSatisfy { $0.profile?.picture == picture })
    let views = world.device("tablet").views
    let shown = try await views.getAccountView(GetAccountViewRequest(kind: .switch)).view?.people ?? []
    let later = try await views.getOfflineViews(GetOfflineViewsRequest()).switchList?.people ?? []
    for list in [shown, later] {
      #expect(list.map(\.personID) == listed)
      #expect(list.map { $0.profile?.picture.isEmpty == true } == listed.indices.map { $0 >= 16 })
      #expect(list.allSatisfy { $0.profile?.initials == "S" })
    }
    await world.end()
  }

  @Test("a screen shows what the tenant lets be seen, in the person's language", arguments: TestEngine.allCases)
  func served(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    func get(_ request: GetAccountViewRequest) async throws -> AccountView? {
      try await world.device("tablet").views.getAccountView(request).view
    }
    let list = try await get(GetAccountViewRequest(kind: .switch, locale: "fr"))
    #expect(list?.barTitle == "Changer ou ajouter une personne" && list?.people.map(\.personID) == [people[0]])
    #expect(list?.person?.profile == PersonProfile(title: "Ben"))
    #expect(try await get(GetAccountViewRequest(kind: .switch, query: "zoe"))?.emptyText == "Nobody was found.")
    let blocked = AffectedPerson(person: ListedPerson(personID: people[0]), rule: "grant_missing", step: .signIn)
    let asked = try await get(GetAccountViewRequest(kind: .userError, blocked: blocked))
    #expect(asked?.person?.personID == people[0] && asked?.description.hasPrefix("Somebody has work") == true)
    await expectRefusal(.notFound, "unknown_person") {
      try await get(GetAccountViewRequest(kind: .locked, personID: "x"))
    }
    await expectRefusal(.invalidArgument, "missing") { try await get(GetAccountViewRequest()) }
    await world.end()
  }
}
