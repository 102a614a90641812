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
  package var wantsInvitation = false
  /// Whether the screen is for use without a connection: what is not known yet stays as a `{place}`.
  package var isForLater = false

  package init() {}
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
    case .setPasscode: setPasscode(&view, facts)
    case .confirmPasscode: confirmPasscode(&view, wanted, facts)
    case .recoveryCode: recoveryCode(&view, wanted)
    case .forgotPasscode: forgotPasscode(&view, wanted, facts)
    case .changePasscode: changePasscode(&view, facts)
    case .locked: locked(&view, wanted, facts)
    case .sync: sync(&view, wanted, facts)
    case .syncDone: syncDone(&view)
    case .connectionError: connectionError(&view)
    case .userError: userError(&view, wanted, facts)
    case .linkCode: linkCode(&view, wanted, facts)
    case .enterCode: enterCode(&view, facts)
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
      view.fields = [field("passcode", .passcode, facts, secure: true)]
      view.buttons = [
        button(.signIn, .signIn, needs: ["passcode"]), button(.forgotPasscode, .forgot, isLink: true),
      ]
    }
    if !facts.isSingleUser || facts.person == nil { view.buttons.append(button(.switch, .switchOrAdd)) }
  }

  private func locked(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    application(&view, facts)
    view.person = facts.person
    view.title = texts[.locked]
    let delay = waiting(wanted)
    view.description = delay.isEmpty ? texts[.lockedText] : delay
    view.fields = [field("passcode", .passcode, facts, secure: true)]
    view.buttons = [button(.signIn, .signIn, needs: ["passcode"]), button(.forgotPasscode, .forgot, isLink: true)]
    if !facts.isSingleUser { view.buttons.append(button(.switch, .switchOrAdd)) }
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
  }

  private func forgotPasscode(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .forgotTitle)
    view.person = facts.person
    let delay = waiting(wanted)
    view.description = delay.isEmpty ? texts[.forgotText] : delay
    view.fields = [
      field("recovery_code", .recoveryCode, facts), field("new_passcode", .newPasscode, facts, secure: true),
    ]
    view.buttons = [button(.save, .save, needs: ["recovery_code", "new_passcode"])]
  }

  private func changePasscode(_ view: inout AccountView, _ facts: ViewFacts) {
    bar(&view, .changeTitle)
    view.person = facts.person
    view.description = rule(facts)
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

  private func setPasscode(_ view: inout AccountView, _ facts: ViewFacts) {
    view.leading = button(.cancel, .cancel)
    view.barTitle = texts[.setPasscode]
    view.description = rule(facts)
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

  private func syncDone(_ view: inout AccountView) {
    view.barTitle = texts[.syncTitle]
    view.title = texts[.syncDone]
    view.description = texts[.syncDoneText]
    view.progress = SyncProgress(phase: .done, fraction: 1)
    view.buttons = [button(.done, .done)]
  }

  private func connectionError(_ view: inout AccountView) {
    bar(&view, .syncTitle)
    view.title = texts[.connectionTitle]
    view.description = texts[.connectionText]
    view.buttons = [button(.tryAgain, .tryAgain)]
  }

  private func userError(_ view: inout AccountView, _ wanted: GetAccountViewRequest, _ facts: ViewFacts) {
    bar(&view, .syncTitle)
    view.title = texts[.userErrorTitle]
    view.person = facts.person
    let key: AccountTextKey = wanted.rule.hasPrefix("grant_") ? .userErrorGrant : .userErrorConflict
    let values = facts.isForLater ? [:] : ["name": facts.person?.profile?.title ?? "…"]
    view.description = texts.filled(key, values)
    view.personDescription = texts.filled(.affectedText, values)
    view.buttons = [button(.returnToSignIn, .returnToSignIn)]
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
    func userError(_ rule: String) -> AccountView {
      view(GetAccountViewRequest(kind: .userError, rule: rule), nobody)
    }
    return GetOfflineViewsResponse(
      signIn: screen(.signIn), locked: screen(.locked), switchList: screen(.switch), uploading: sync(.uploading),
      downloading: sync(.downloading), syncDone: screen(.syncDone), connectionError: screen(.connectionError),
      grantNeeded: userError("grant_expired"), decisionNeeded: userError("conflict"), waitingText: texts[.wait])
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

  private func rule(_ facts: ViewFacts) -> String {
    texts.filled(.setPasscodeText, ["count": String(PasscodeRules(facts.policy).shortest)])
  }

  /// How long the next attempt waits; empty when it need not. The time is shown as m:ss, which needs no translation.
  private func waiting(_ wanted: GetAccountViewRequest) -> String {
    guard wanted.waitSeconds > 0 else { return "" }
    let (minutes, seconds) = (Int(wanted.waitSeconds) / 60, Int(wanted.waitSeconds) % 60)
    let time = "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    return texts.filled(.wait, ["time": time])
  }
}
