package import AccountContract

/// What a screen shows besides its texts.
package struct ViewFacts: Sendable {
  package var application = ""
  package var logo: [UInt8] = []
  /// The person that the screen is about.
  package var person: ListedPerson?
  package var others: [ListedPerson] = []
  package var policy = PasscodePolicy()
  package var isSingleUser = false
  /// The providers by which the person can sign in; with nobody, and where people are chosen, all providers.
  package var providers: [Provider] = []
  /// Whether the person has a passcode at this device.
  package var hasPasscode = true
  /// Whether the person who is signed in is the one that the screen is about.
  package var isOwn = false
  /// Items of the person who is signed in that wait for a decision, with their words, and the token of the next page.
  package var items: [ItemOutcome] = []
  package var nextItems = ""
  package var wantsInvitation = false
  /// Whether the screen is for use without a connection: what is not known yet stays as a `{place}`.
  package var isForLater = false

  package init() {}

  /// An OpenID provider and how people know it.
  package struct Provider: Sendable {
    package let issuer: String
    package let title: String
    /// Whether the gateway's pages can lead there.
    package let isOnPages: Bool

    package init(issuer: String, title: String, isOnPages: Bool = false) {
      (self.issuer, self.title, self.isOnPages) = (issuer, title, isOnPages)
    }
  }
}

/// Composes the screens of accounts: what is shown, what can be tapped, in which order, and how people leave them.
package struct ViewBuilder: Sendable {
  private let texts: AccountTexts

  package init(_ texts: AccountTexts) {
    self.texts = texts
  }

  package func view(_ wanted: GetAccountViewRequest, _ facts: ViewFacts) -> AccountView {
    var view = AccountView(kind: wanted.kind, locale: texts.locale, rightToLeft: texts.isRightToLeft)
    switch wanted.kind {
    case .unspecified, .unrecognized, .signIn: signIn(&view, wanted, facts)
    case .switch: list(&view, wanted, facts)
    case .onboarding: onboarding(&view, facts)
    case .setPasscode: setPasscode(&view, wanted, facts)
    case .confirmPasscode: confirmPasscode(&view, wanted, facts)
    case .recoveryCode: recoveryCode(&view, wanted)
    case .forgotPasscode: forgotPasscode(&view, wanted, facts)
    case .changePasscode: changePasscode(&view, wanted, facts)
    case .locked: locked(&view, wanted, facts)
    case .sync: sync(&view, wanted, facts)
    case .syncDone: syncDone(&view, facts)
    case .connectionError: connectionError(&view)
    case .userError: userError(&view, wanted, facts)
    case .linkCode: linkCode(&view, wanted, facts)
    case .enterCode: enterCode(&view, facts)
    case .failedItems: failedItems(&view, facts)
    }
    return view
  }

  // MARK: Signing in

  private func signIn(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    view.kind = .signIn
    application(&view, facts)
    view.person = facts.person
    if facts.person == nil {
      view.title = texts[.nobodyCurrent]
    } else {
      view.description = waiting(wanted)
    }
    waysIn(&view, wanted, facts)
    if !facts.isSingleUser || facts.person == nil { view.buttons.append(button(.switch, .switchOrAdd)) }
  }

  private func locked(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    application(&view, facts)
    view.person = facts.person
    view.title = texts[.locked]
    let delay = waiting(wanted)
    view.description = delay.isEmpty ? texts[.lockedText] : delay
    waysIn(&view, wanted, facts)
    if !facts.isSingleUser { view.buttons.append(button(.switch, .switchOrAdd)) }
  }

  /// The passcode of whoever has one, and a button for each provider, none of which is there without a connection.
  private func waysIn(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    view.problem = problem(wanted)
    let hasPasscode = facts.hasPasscode || facts.providers.isEmpty
    if facts.person != nil, hasPasscode {
      view.fields = [field("passcode", .passcode, facts, secure: true)]
      view.buttons = [button(.signIn, .signIn, needs: ["passcode"])]
    }
    if !facts.isForLater {
      view.buttons += providers(facts)
    } else if !hasPasscode, let provider = facts.providers.first {
      view.description = texts.filled(.identityOffline, ["name": provider.title])
    }
    if !view.fields.isEmpty { view.buttons.append(button(.forgotPasscode, .forgot, isLink: true)) }
  }

  private func providers(_ facts: ViewFacts) -> [AccountButton] {
    facts.providers.map { provider in
      var button = button(.signInWithIdentity, .signInWith)
      (button.title, button.issuer) = (texts.filled(.signInWith, ["name": provider.title]), provider.issuer)
      button.onPages = provider.isOnPages
      return button
    }
  }

  private func list(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    view.leading = button(.back, .back)
    view.barTitle = texts[.switchOrAdd]
    view.trailing = [button(.search, .search)]
    if !facts.isSingleUser { view.trailing.append(button(.add, .add)) }
    view.person = facts.person
    if facts.person != nil { view.currentHeading = texts[.current] }
    view.fields = [field("query", .search, facts)]
    view.peopleHeading = texts[.others]
    view.people = facts.others
    if facts.others.isEmpty { view.emptyText = texts[wanted.query.isEmpty ? .nobodyYet : .nobodyFound] }
    // Somebody whom a provider knows may be new to this device.
    if !facts.isForLater { view.buttons = providers(facts) }
  }

  private func forgotPasscode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .forgotTitle)
    view.person = facts.person
    let delay = waiting(wanted)
    view.description = delay.isEmpty ? texts[.forgotText] : delay
    view.problem = problem(wanted)
    view.rules = rules(facts)
    view.fields = [
      field("recovery_code", .recoveryCode, facts), field("new_passcode", .newPasscode, facts, secure: true),
    ]
    view.buttons = [button(.save, .save, needs: ["recovery_code", "new_passcode"])]
  }

  private func changePasscode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .changeTitle)
    view.person = facts.person
    view.description = texts[.setPasscodeText]
    view.problem = problem(wanted)
    view.rules = rules(facts)
    view.fields = [
      field("passcode", .passcode, facts, secure: true), field("new_passcode", .newPasscode, facts, secure: true),
    ]
    view.buttons = [button(.save, .save, needs: ["passcode", "new_passcode"])]
  }

  // MARK: Onboarding

  private func onboarding(_ view: inout AccountView, _ facts: ViewFacts) {
    view.leading = button(.cancel, .cancel)
    view.barTitle = texts[.welcome]
    application(&view, facts)
    view.description = texts[.welcomeText]
    view.fields = [field("name", .name, facts), field("subtitle", .subtitle, facts)]
    if facts.wantsInvitation { view.fields.append(field("code", .code, facts)) }
    view.buttons = [
      button(.next, .next, needs: facts.wantsInvitation ? ["name", "code"] : ["name"]),
      button(.enterCode, .haveCode, isLink: true),
    ]
  }

  /// The code says who the person is, so nothing else is asked.
  private func enterCode(_ view: inout AccountView, _ facts: ViewFacts) {
    bar(&view, .enterCodeTitle)
    application(&view, facts)
    view.description = texts[.enterCodeText]
    view.fields = [field("code", .code, facts)]
    view.buttons = [button(.next, .next, needs: ["code"])]
  }

  private func linkCode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .linkCodeTitle)
    view.person = facts.person
    view.description = texts[.linkCodeText]
    view.code = wanted.linkCode
    view.buttons = [button(.done, .done)]
  }

  private func setPasscode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    view.leading = button(.cancel, .cancel)
    view.barTitle = texts[.setPasscode]
    view.description = texts[.setPasscodeText]
    view.problem = problem(wanted)
    view.rules = rules(facts)
    view.fields = [field("passcode", .passcode, facts, secure: true)]
    view.buttons = [button(.next, .next, needs: ["passcode"])]
  }

  private func confirmPasscode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .confirmPasscode)
    view.description = texts[wanted.differed ? .differed : .confirmText]
    view.fields = [field("passcode", .passcode, facts, secure: true)]
    view.buttons = [button(.save, .save, needs: ["passcode"])]
  }

  private func recoveryCode(_ view: inout AccountView, _ wanted: GetAccountViewRequest) {
    // No way back: the code is shown once, and the person is onboarded already.
    view.barTitle = texts[.recoveryTitle]
    view.description = texts[.recoveryText]
    view.code = wanted.recoveryCode
    view.buttons = [button(.done, .done)]
  }

  // MARK: Sync

  private func sync(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .syncTitle)
    let progress = wanted.progress ?? SyncProgress(phase: .uploading)
    view.progress = progress
    view.title = texts[progress.phase == .downloading ? .downloading : .uploading]
    if facts.isForLater {
      view.description = texts[.counted]
    } else if progress.total > 0 {
      view.description = texts.filled(
        .counted, ["completed": String(progress.completed), "total": String(progress.total)])
    }
  }

  private func syncDone(_ view: inout AccountView, _ facts: ViewFacts) {
    view.barTitle = texts[.syncTitle]
    view.title = texts[facts.items.isEmpty ? .syncDone : .failedTitle]
    view.description = texts[facts.items.isEmpty ? .syncDoneText : .syncOpen]
    view.progress = SyncProgress(phase: .done, fraction: 1)
    view.buttons = [button(.done, .done)]
    if !facts.items.isEmpty { view.buttons.insert(button(.decide, .decide), at: 0) }
  }

  private func failedItems(_ view: inout AccountView, _ facts: ViewFacts) {
    bar(&view, .failedTitle)
    view.person = facts.person
    if facts.items.isEmpty { view.emptyText = texts[.failedNone] } else { view.description = texts[.failedText] }
    view.items = facts.items.map { AccountItem(outcome: $0, buttons: choices(about: $0)) }
    view.nextPageToken = facts.nextItems
    if !facts.nextItems.isEmpty { view.buttons.append(button(.more, .more)) }
  }

  private func choices(about item: ItemOutcome) -> [AccountButton] {
    let isConflict = item.state == .conflict
    let again = button(isConflict ? .takeMine : .retryItem, isConflict ? .takeMine : .tryAgain)
    let leave = button(isConflict ? .takeTheirs : .discardItem, isConflict ? .takeTheirs : .discard)
    return item.retryable ? [again, leave] : [leave]
  }

  private func connectionError(_ view: inout AccountView) {
    bar(&view, .syncTitle)
    view.title = texts[.connectionTitle]
    view.description = texts[.connectionText]
    view.buttons = [button(.tryAgain, .tryAgain)]
  }

  private func userError(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .syncTitle)
    let blocked = wanted.blocked ?? AffectedPerson()
    view.person = blocked.person
    let name = blocked.name.isEmpty ? texts[.somebody] : blocked.name
    let values = facts.isForLater ? [:] : ["name": name]
    func say(_ title: AccountTextKey, _ story: AccountTextKey, ask: AccountTextKey? = nil, _ next: AccountButton) {
      view.title = texts[title]
      view.description = texts.filled(story, values)
      view.personDescription = ask.map { texts.filled($0, values) } ?? ""
      view.buttons = [next]
    }
    let signIn = button(.returnToSignIn, .returnToSignIn)
    switch (blocked.step, facts.isOwn) {
    case (.unlock, _): say(.userErrorTitle, .userErrorUnlock, ask: .affectedUnlock, button(.done, .done))
    case (.invite, _): say(.userErrorTitle, .userErrorInvite, ask: .affectedInvite, button(.done, .done))
    case (.decide, true): say(.ownTitle, .ownConflict, button(.decide, .decide))
    case (.decide, false): say(.userErrorTitle, .userErrorConflict, ask: .affectedText, signIn)
    case (_, true): say(.ownTitle, .ownGrant, signIn)
    case (_, false): say(.userErrorTitle, .userErrorGrant, ask: .affectedText, signIn)
    }
  }

  // MARK: For later

  /// The screens that a device may have to show without a connection, with places for what is not known yet.
  package func forLater(_ facts: ViewFacts) -> GetOfflineViewsResponse {
    var facts = facts
    facts.isForLater = true
    var nobody = facts
    nobody.person = nil
    func screen(_ kind: AccountViewKind) -> AccountView { view(GetAccountViewRequest(kind: kind), facts) }
    func sync(_ phase: SyncPhase) -> AccountView {
      view(GetAccountViewRequest(kind: .sync, progress: SyncProgress(phase: phase)), facts)
    }
    func userError(_ step: BlockedStep, isOwn: Bool = false) -> AccountView {
      var facts = nobody
      facts.isOwn = isOwn
      return view(GetAccountViewRequest(kind: .userError, blocked: AffectedPerson(step: step)), facts)
    }
    return GetOfflineViewsResponse(
      signIn: screen(.signIn), locked: screen(.locked), switchList: screen(.switch), uploading: sync(.uploading),
      downloading: sync(.downloading), syncDone: screen(.syncDone), connectionError: screen(.connectionError),
      signInNeeded: userError(.signIn), decisionNeeded: userError(.decide), waitingText: texts[.wait],
      unlockNeeded: userError(.unlock), invitationNeeded: userError(.invite),
      ownSignInNeeded: userError(.signIn, isOwn: true), ownDecisionNeeded: userError(.decide, isOwn: true),
      unnamedText: texts[.somebody])
  }

  // MARK: Parts

  private func application(_ view: inout AccountView, _ facts: ViewFacts) {
    view.applicationTitle = facts.application
    view.applicationLogo = facts.logo
    view.applicationLogoMediaType = PictureRules.mediaType(of: facts.logo)
  }

  private func bar(_ view: inout AccountView, _ title: AccountTextKey) {
    view.leading = button(.back, .back)
    view.barTitle = texts[title]
  }

  private func button(
    _ action: AccountAction, _ title: AccountTextKey, needs fields: [String] = [], isLink: Bool = false
  ) -> AccountButton {
    AccountButton(action: action, title: texts[title], needsFields: fields, link: isLink)
  }

  private func field(
    _ id: String, _ label: AccountTextKey, _ facts: ViewFacts, secure: Bool = false
  ) -> AccountField {
    AccountField(id: id, label: texts[label], secure: secure, digits: secure && facts.policy.digitsOnly)
  }

  private func rules(_ facts: ViewFacts) -> [AccountRule] {
    PasscodeRules(facts.policy).parts.map { part in
      AccountRule(rule: part.rule, text: texts.filled(part.words, ["count": String(part.count)]), pattern: part.pattern)
    }
  }

  /// What was wrong with the last attempt, in words; empty for what has no words of its own.
  private func problem(_ wanted: GetAccountViewRequest) -> String {
    switch wanted.refusedBy {
    case "wrong_passcode": texts[.wrongPasscode]
    case "wrong_recovery_code": texts[.wrongRecovery]
    case "person_locked": texts[.personLocked]
    case "passcode_must_change": texts[.passcodeGiven]
    case "passcode_unchanged": texts[.passcodeSame]
    case let rule where rule.hasPrefix("passcode_"): texts[.passcodeUnmet]
    default: ""
    }
  }

  /// How long the next attempt waits; empty when it need not. The time is shown as m:ss, which needs no translation.
  private func waiting(_ wanted: GetAccountViewRequest) -> String {
    guard wanted.waitSeconds > 0 else { return "" }
    let (minutes, seconds) = (Int(wanted.waitSeconds) / 60, Int(wanted.waitSeconds) % 60)
    let time = "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    return texts.filled(.wait, ["time": time])
  }
}
