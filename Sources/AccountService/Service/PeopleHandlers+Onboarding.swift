internal import AccountContract
internal import Base
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Onboarding, and the link codes that lead to it.
extension PeopleHandlers {
  static let onboardingLifetime = Duration.seconds(86_400)
  static let linkCodeLifetime = Duration.seconds(600)
  private static let mostLinkCodesAnHour = 10
  private static let recoveryLength = 20

  func startOnboarding(
    _ request: StartOnboardingRequest, context: CallContext
  ) async throws -> StartOnboardingResponse {
    try LocaleRules.check(request.locale)
    let entry = try Entry(request)
    // A code counts as wrong before it is checked, so that codes that are tried at the same time are all counted.
    var attempt: CountedAttempt?
    if let device = context.identity.device.isEmpty ? nil : context.identity.device, entry.digest != nil {
      attempt = try await parts.begin([.codes(device: device)], context)
    }
    let wasChecked = Flag()
    let started: (plan: Plan, answer: StartOnboardingResponse)
    do {
      started = try await start(request, entry, wasChecked, context)
    } catch {
      // Other errors do not count as a wrong code.
      if let attempt, (error as? Refusal)?.rule != Self.unknownCode.rule { await parts.takeBack(attempt) }
      throw error
    }
    // A repeat of the call got the stored response, and no code was checked.
    if let attempt, !wasChecked.isSet { await parts.takeBack(attempt) }
    let (plan, answer) = started
    guard let onboarding = answer.onboarding, onboarding.state == .consent else { return answer }
    let session = try await parts.consent.start(
      flow: plan.flow, subject: onboarding.personID, device: plan.device, locale: request.locale)
    return try await parts.data.change(context, of: AccountData.own) { transaction, _, _ in
      try OnboardingStore.setSession(session, of: onboarding.onboardingID, transaction)
      let stored = try OnboardingStore.onboarding(onboarding.onboardingID, on: plan.device, transaction)
      return StartOnboardingResponse(onboarding: stored.message)
    }
  }

  private static let unknownCode = Refusal(
    .notFound, "unknown_code", field: "code", "the code is wrong, used or expired")

  /// The device at which an onboarding begins, and its consent flow; an empty flow: none.
  private struct Plan: Sendable {
    let device: String
    let flow: String
  }

  private func start(
    _ request: StartOnboardingRequest, _ entry: Entry, _ wasChecked: Flag, _ context: CallContext
  ) async throws -> (plan: Plan, answer: StartOnboardingResponse) {
    let fresh = (onboarding: parts.identifiers.next(), person: parts.identifiers.next())
    let plan = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      let settings = try SettingsStore.settings(snapshot)
      if entry.digest == nil, !settings.selfRegistration {
        throw Refusal(
          .precondition, "invitation_needed", field: "by", "by: nobody registers here without an invitation")
      }
      try DeviceStore.checkRoom(on: device, snapshot)
      return Plan(device: device.id, flow: entry.isLink ? "" : settings.onboardingFlowID)
    }
    let answer: StartOnboardingResponse = try await parts.data.once(request, context, of: AccountData.own) {
      transaction, caller, _ in
      wasChecked.set()
      if !plan.flow.isEmpty, let begun = try resume(entry, plan.device, transaction) {
        return StartOnboardingResponse(onboarding: begun.message)
      }
      let onboarding = try begin(entry, fresh, plan.device, isAsked: !plan.flow.isEmpty, transaction, caller.actor)
      try transaction.note(.onboardingStarted, by: caller.actor, person: onboarding.personID, device: plan.device)
      return StartOnboardingResponse(onboarding: onboarding.message)
    }
    return (plan, answer)
  }

  /// By what right an onboarding begins, as its request says: an invitation, a link code or self-registration.
  private struct Entry: Sendable {
    let digest: Digest?
    let isLink: Bool
    let profile: PersonProfile?

    init(_ request: StartOnboardingRequest) throws(Refusal) {
      func digest(_ kind: String, _ code: String) -> Digest {
        // A text that cannot be a code is looked up as well, so that it fails like any wrong code.
        Codes.digest(kind, Codes.normal(code) ?? "")
      }
      switch request.by {
      case .invitationCode(let code): (self.digest, isLink) = (digest("invitation", code), false)
      case .linkCode(let code): (self.digest, isLink) = (digest("link", code), true)
      case .selfRegistration: (self.digest, isLink) = (nil, false)
      case nil:
        let message = "by is missing: an invitation code, a link code, or self_registration"
        throw Refusal(.invalid, "missing", field: "by", message)
      }
      profile = isLink ? nil : try ProfileRules.checked(request.profile)
    }
  }

  /// The onboarding that the same invitation began at this device when ConsentService could not be reached. Another try
  /// continues it, although the invitation is used up.
  private func resume(_ entry: Entry, _ device: String, _ transaction: Transaction) throws -> StoredOnboarding? {
    guard let digest = entry.digest, let profile = entry.profile, let code = try CodeStore.used(digest, transaction),
      let begun = try OnboardingStore.withoutSession(of: code.newPersonID, on: device, transaction)
    else { return nil }
    try parts.attempts.succeed([.codes(device: device)], transaction)
    try PersonStore.save(profile, of: begun.subject, transaction)
    return begun
  }

  private func begin(
    _ entry: Entry, _ fresh: (onboarding: String, person: String), _ device: String, isAsked: Bool,
    _ transaction: Transaction, _ actor: String
  ) throws -> StoredOnboarding {
    var person = fresh.person
    if let digest = entry.digest {
      guard let code = try CodeStore.use(digest, transaction) else {
        throw Self.unknownCode
      }
      try parts.attempts.succeed([.codes(device: device)], transaction)
      if entry.isLink {
        person = try PersonStore.active(code.personID, transaction).id
      } else if code.newPersonID.isEmpty {
        try CodeStore.setPerson(person, of: digest, transaction)
      } else {
        person = code.newPersonID
        try requireNew(person, transaction, by: actor)
      }
    }
    if try PlacementStore.placement(of: person, on: device, transaction) != nil {
      throw Refusal(.alreadyExists, "already_listed", field: "person_id", "person_id: the person is on this list")
    }
    let onboarding = StoredOnboarding(
      id: fresh.onboarding, deviceID: device, personID: person, isNew: !entry.isLink,
      state: isAsked ? .consent : .passcode, sessionID: "", expiresAt: transaction.now + Self.onboardingLifetime)
    try OnboardingStore.insert(onboarding, transaction)
    if let profile = entry.profile { try PersonStore.save(profile, of: onboarding.subject, transaction) }
    return onboarding
  }

  /// Refuses to onboard somebody new under the identifier of somebody else: what the new one consents to would be on
  /// the other one's record. Open onboardings of this identifier whose consent flow was never started are ended, so
  /// that the new one can begin.
  private func requireNew(_ personID: String, _ transaction: Transaction, by actor: String) throws {
    guard try PersonStore.person(personID, transaction) == nil else {
      throw Refusal(.alreadyExists, "person_exists", field: "code", "code: the person whom it invites has an account")
    }
    let open = try OnboardingStore.open(of: personID, transaction).filter { transaction.now < $0.expiresAt }
    guard open.allSatisfy(\.hasNotStarted) else {
      let message = "code: the person whom it invites is being onboarded; finish that, or cancel it"
      throw Refusal(.alreadyExists, "onboarding_open", field: "code", message)
    }
    for onboarding in open { try end(onboarding, by: actor, note: "another invitation", transaction) }
  }

  func finishOnboarding(
    _ request: FinishOnboardingRequest, context: CallContext
  ) async throws -> FinishOnboardingResponse {
    let (found, policy) = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let device = try DeviceStore.inUse(caller.device, snapshot)
      return (
        try OnboardingStore.onboarding(request.onboardingID, on: device.id, snapshot),
        try SettingsStore.settings(snapshot).passcodePolicy
      )
    }
    // If the onboarding has ended, the call is a repeat, which gets the stored response by its key, or is refused
    // below. Neither needs a verifier.
    let verifier: String?
    if found.isOpen {
      try await requireConsent(found, context)
      try PasscodeRules(policy).check(request.passcode, "passcode")
      verifier = try await parts.passcodes.verifier(of: request.passcode, for: context.turn)
    } else {
      verifier = nil
    }
    let recovery = Codes.make(Self.recoveryLength, from: parts.randomness.bytes(Self.recoveryLength))
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      var onboarding = try OnboardingStore.onboarding(request.onboardingID, on: caller.device, transaction)
      guard onboarding.isOpen, transaction.now < onboarding.expiresAt, let verifier else {
        let message = "onboarding_id: onboarding '\(onboarding.id)' has ended or expired"
        throw Refusal(.precondition, "onboarding_ended", field: "onboarding_id", message)
      }
      let profile = onboarding.isNew ? try PersonStore.profile(of: onboarding.subject, transaction) : nil
      if !onboarding.isNew { _ = try PersonStore.active(onboarding.personID, transaction) }
      try OnboardingStore.end(&onboarding, as: .done, transaction)
      let subject = try Subject.stored(onboarding.personID)
      let digest = Codes.digest("recovery", recovery)
      if let profile {
        guard try PersonStore.insert(onboarding.personID, recovery: digest, transaction) else {
          throw Refusal(.alreadyExists, "person_exists", field: "person_id", "person_id: the person has an account")
        }
        var first = profile
        first.revision = 1
        try PersonStore.save(first, of: subject, transaction)
        try ChangeStore.note(.profile, subject.id, of: subject.id, transaction)
      }
      let device = try DeviceStore.inUse(onboarding.deviceID, transaction)
      try DeviceStore.requireRoom(on: device, transaction)
      guard try PlacementStore.insert(onboarding.personID, on: onboarding.deviceID, transaction) else {
        throw Refusal(.alreadyExists, "already_listed", field: "person_id", "person_id: the person is on this list")
      }
      try PlacementStore.setVerifier(
        verifier, of: subject, on: onboarding.deviceID, mustChange: false, transaction)
      try DeviceStore.select(onboarding.personID, on: onboarding.deviceID, transaction)
      try transaction.note(.personAdded, by: caller.actor, person: onboarding.personID, device: onboarding.deviceID)
      // A person who has a recovery code already keeps it.
      return FinishOnboardingResponse(
        onboarding: onboarding.message, recoveryCode: profile == nil ? "" : grouped(recovery))
    }
  }

  /// Asks ConsentService how the flow ended, and throws unless consent was given. If it was denied, the onboarding ends
  /// now.
  private func requireConsent(_ onboarding: StoredOnboarding, _ context: CallContext) async throws {
    guard onboarding.state == .consent else { return }
    let outcome =
      onboarding.sessionID.isEmpty ? .unspecified : try await parts.consent.outcome(of: onboarding.sessionID)
    switch OnboardingOutcome(outcome) {
    case .mayFinish: return
    case .waits:
      throw Refusal(
        .precondition, "consent_pending", field: "onboarding_id", "onboarding_id: its consent flow has not ended yet")
    case .ends:
      try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
        try end(onboarding, by: caller.actor, note: "consent not given", transaction)
      }
      throw Refusal(
        .precondition, "consent_not_given", field: "onboarding_id",
        "onboarding_id: the consent was not given; nobody is listed")
    }
  }

  func cancelOnboarding(
    _ request: CancelOnboardingRequest, context: CallContext
  ) async throws -> CancelOnboardingResponse {
    let answer: CancelOnboardingResponse = try await parts.data.once(request, context, of: AccountData.own) {
      transaction, caller, _ in
      let device = try DeviceStore.inUse(caller.device, transaction)
      let onboarding = try OnboardingStore.onboarding(request.onboardingID, on: device.id, transaction)
      if onboarding.state == .done {
        throw Refusal(
          .precondition, "onboarding_done", field: "onboarding_id", "onboarding_id: the person is listed already")
      }
      if onboarding.isOpen { try end(onboarding, by: caller.actor, note: "cancelled", transaction) }
      let ended = try OnboardingStore.onboarding(request.onboardingID, on: device.id, transaction)
      return CancelOnboardingResponse(onboarding: ended.message)
    }
    // Errors are ignored: the onboarding has ended even if ConsentService cannot be reached, where the session ends by
    // itself in time.
    if let session = answer.onboarding?.consentSessionID, !session.isEmpty {
      try? await parts.consent.abandon(session)
    }
    return answer
  }

  private func end(
    _ onboarding: StoredOnboarding, by actor: String, note: String, _ transaction: Transaction
  ) throws {
    var onboarding = onboarding
    try OnboardingStore.end(&onboarding, as: .ended, transaction)
    try transaction.note(
      .onboardingEnded, by: actor, person: onboarding.personID, device: onboarding.deviceID, note: note)
  }

  func createLinkCode(_ request: CreateLinkCodeRequest, context: CallContext) async throws -> CreateLinkCodeResponse {
    let code = Codes.make(10, from: parts.randomness.bytes(10))
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      let person = try PersonStore.active(try caller.person(), transaction)
      let made = try CodeStore.count(madeBy: person.id, since: transaction.now + .seconds(-3600), transaction)
      guard made < Self.mostLinkCodesAnHour else {
        throw Refusal(
          .exhausted, "too_many_codes", field: "code", "\(made) link codes were made within the hour, as many as may")
      }
      let end = transaction.now + Self.linkCodeLifetime
      try CodeStore.insert(
        Codes.digest("link", code), StoredCode(personID: person.id), maker: person.id, until: end,
        transaction)
      try transaction.note(.codeCreated, by: caller.actor, person: person.id, device: caller.device)
      transaction.concern(try person.subject())
      return CreateLinkCodeResponse(code: code, expiresAt: Timestamp(end))
    }
  }

  /// The code with a dash after every five letters, so that people can read it.
  func grouped(_ code: String) -> String {
    let letters = Array(code)
    return stride(from: 0, to: letters.count, by: 5).map { String(letters[$0..<min($0 + 5, letters.count)]) }
      .joined(separator: "-")
  }
}

extension CallContext {
  /// The device whose turn it is in the pool that checks passcodes.
  var turn: PasscodePool.Turn { PasscodePool.Turn(tenant: identity.tenant, device: identity.device) }
}
