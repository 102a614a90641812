internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage

/// Proving a passcode, changing it, and replacing one that was forgotten.
extension SignInHandlers {
  /// The proof that a passcode matched this verifier. Whoever acts on it asks whether the verifier is still the
  /// person's: checking takes a while, and an administrator may have reset the passcode meanwhile.
  struct Proof: Sendable {
    let verifier: String

    func stillHolds(for person: Subject, on deviceID: String, _ transaction: Transaction) throws -> Bool {
      try PlacementStore.lock(person.id, on: deviceID, transaction)
      return try PlacementStore.verifier(of: person, on: deviceID, transaction) == verifier
    }
  }

  static var wrongPasscode: Refusal {
    Refusal(
      .unauthenticated, "wrong_passcode", field: "passcode", "passcode is not the one of this person at this device")
  }

  /// Proves a passcode of a person at the caller's device. Each attempt is counted before it is checked, and the check
  /// takes as long for a person who does not exist.
  func prove(_ personID: String, _ passcode: String, _ context: CallContext) async throws -> Proof {
    let device = try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      try DeviceStore.inUse(caller.device, snapshot).id
    }
    let places: [AttemptPlace] = [.person(personID, device: device), .device(device)]
    let attempt = try await parts.begin(places, context)
    // A longer text is no passcode. An empty one is hashed in its place, so that the answer takes as long.
    let isShort = passcode.utf8.count <= PasscodeRules.longest * 4
    // An error here means that no passcode was checked: the pool refuses a call, or a cancelled call leaves it, only
    // before its turn.
    let (verifier, isRight) = try await parts.unchecked(attempt) {
      let verifier = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
        let isListed = try PlacementStore.placement(of: personID, on: device, snapshot) != nil
        guard isListed, let subject = Subject(personID) else { return String?.none }
        return try PlacementStore.verifier(of: subject, on: device, snapshot)
      }
      return (verifier, try await parts.passcodes.verifies(isShort ? passcode : "", verifier, for: context.turn))
    }
    guard isRight, isShort, let verifier else {
      try await noteFailure(personID, device, isListed: verifier != nil, "passcode", context)
      throw Self.wrongPasscode
    }
    // A right passcode must not count as wrong, even if recording the success fails.
    try await parts.unchecked(attempt) {
      try await parts.data.change(context, of: AccountData.own) { transaction, _, _ in
        try parts.attempts.succeed(places, transaction)
      }
    }
    return Proof(verifier: verifier)
  }

  private func noteFailure(
    _ personID: String, _ device: String, isListed: Bool, _ what: String, _ context: CallContext
  ) async throws {
    try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      // The name of a person who is not listed could be any text, so it is not recorded.
      try transaction.note(
        .signInFailed, by: caller.actor, person: isListed ? personID : "", device: device, note: what)
    }
  }

  func changePasscode(_ request: ChangePasscodeRequest, context: CallContext) async throws -> ChangePasscodeResponse {
    try await checkNew(request.newPasscode, context)
    if request.passcode.isEmpty, try await lacksPasscode(request.personID, context) {
      return try await setFirst(request.newPasscode, of: request.personID, context)
    }
    let proof = try await prove(request.personID, request.passcode, context)
    if request.newPasscode == request.passcode {
      throw Refusal(.invalid, "passcode_unchanged", field: "new_passcode", "new_passcode is the passcode until now")
    }
    let verifier = try await parts.passcodes.verifier(of: request.newPasscode, for: context.turn)
    // A repeat of the call fails, because the old passcode is no longer valid, so no response is stored for it.
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let place = try Self.mayEnter(request.personID, by: proof, caller, transaction)
      try replace(verifier, of: place.person, caller, as: .passcodeChanged, transaction)
      return ChangePasscodeResponse()
    }
  }

  /// Whether the caller is this person, signed in by a provider whose people may set passcodes, and has none here.
  private func lacksPasscode(_ personID: String, _ context: CallContext) async throws -> Bool {
    try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      guard caller.isPerson, caller.actor == personID else { return false }
      return try Self.lacksPasscode(personID, on: caller.device, snapshot)
    }
  }

  private static func lacksPasscode(_ personID: String, on device: String, _ snapshot: Snapshot) throws -> Bool {
    let issuers = try SettingsStore.settings(snapshot).identityIssuers
    guard issuers.contains(where: { $0.passcodes && personID.hasPrefix($0.subjectPrefix) }) else { return false }
    return try PlacementStore.verifier(of: try Subject.named(personID, field: "person_id"), on: device, snapshot) == nil
  }

  /// Sets the passcode of a person who had none: the fresh token of the provider's sign-in stands for it.
  private func setFirst(
    _ passcode: String, of personID: String, _ context: CallContext
  ) async throws -> ChangePasscodeResponse {
    let verifier = try await parts.passcodes.verifier(of: passcode, for: context.turn)
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      try PlacementStore.lock(personID, on: caller.device, transaction)
      let place = try Self.mayEnter(personID, by: nil, caller, transaction)
      guard try Self.lacksPasscode(personID, on: caller.device, transaction) else { throw Self.wrongPasscode }
      try replace(verifier, of: place.person, caller, as: .passcodeChanged, transaction)
      return ChangePasscodeResponse()
    }
  }

  func recoverPasscode(
    _ request: RecoverPasscodeRequest, context: CallContext
  ) async throws -> RecoverPasscodeResponse {
    try await checkNew(request.newPasscode, context)
    let device = context.identity.device
    let places: [AttemptPlace] = [.person(request.personID, device: device), .device(device)]
    let attempt = try await parts.begin(places, context)
    // Made before the code is checked, so that a wrong code takes as long as a right one.
    let verifier = try await parts.unchecked(attempt) {
      try await parts.passcodes.verifier(of: request.newPasscode, for: context.turn)
    }
    let next = Codes.make(20, from: parts.randomness.bytes(20))
    let shown = Codes.normal(request.recoveryCode)
    let wasChecked = Flag()
    do {
      let answer = try await parts.data.once(
        request, context, repeatableBy: Array((shown ?? "").utf8), of: AccountData.own
      ) { transaction, caller, _ in
        wasChecked.set()
        guard let code = shown,
          let person = try PersonStore.person(request.personID, transaction),
          isSame(Codes.digest("recovery", code).bytes, person.recovery)
        else { throw WrongCode() }
        let place = try Self.mayEnter(request.personID, by: nil, caller, transaction)
        try parts.attempts.succeed(places, transaction)
        try PersonStore.setRecovery(Codes.digest("recovery", next), of: person.id, transaction)
        try replace(verifier, of: place.person, caller, as: .passcodeReset, transaction)
        return RecoverPasscodeResponse(recoveryCode: PeopleHandlers(parts: parts).grouped(next))
      }
      // A repeat of the call got the stored response, and no code was checked.
      if !wasChecked.isSet { await parts.takeBack(attempt) }
      return answer
    } catch is WrongCode {
      let isListed = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
        try PlacementStore.placement(of: request.personID, on: device, snapshot) != nil
      }
      try await noteFailure(request.personID, device, isListed: isListed, "recovery code", context)
      throw Refusal(
        .unauthenticated, "wrong_recovery_code", field: "recovery_code",
        "recovery_code is not the one of this person at this device")
    } catch {
      // Any other error says nothing about the code, so it does not count as wrong.
      await parts.takeBack(attempt)
      throw error
    }
  }

  private struct WrongCode: Error {}

  private func checkNew(_ passcode: String, _ context: CallContext) async throws {
    let policy = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try SettingsStore.settings(snapshot).passcodePolicy
    }
    try PasscodeRules(policy).check(passcode, "new_passcode")
  }

  /// Stores the verifier of a new passcode, and ends the person's sessions at the device: the old passcode began them.
  private func replace(
    _ verifier: String, of person: StoredPerson, _ caller: Caller, as kind: AccountEventKind, _ transaction: Transaction
  ) throws {
    try PlacementStore.setVerifier(
      verifier, of: try person.subject(), on: caller.device, mustChange: false, transaction)
    for session in try SessionStore.running(on: caller.device, transaction) where session.personID == person.id {
      try transaction.endSession(session, by: caller.actor)
    }
    try OfflineVerifierStore.revoke(of: person.id, at: caller.device, transaction)
    try transaction.note(kind, by: caller.actor, person: person.id, device: caller.device)
  }

  func reauthenticate(_ request: ReauthenticateRequest, context: CallContext) async throws -> ReauthenticateResponse {
    guard request.challenge.count == 32 else {
      let message = "challenge has \(request.challenge.count) bytes; the challenge of a signature's form has 32"
      throw Refusal(.invalid, "bad_challenge", field: "challenge", message)
    }
    let person = try Caller(context.identity).person()
    let proof = try await prove(person, request.passcode, context)
    return try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
      let place = try Self.mayEnter(person, by: proof, caller, transaction)
      try place.placement.requireOwnPasscode()
      let vouched = try parts.voucher.vouch(
        for: place.person.id, of: caller.tenant, challenge: request.challenge, at: transaction.now)
      try transaction.note(.reauthenticated, by: person, person: person, device: caller.device)
      return ReauthenticateResponse(assertion: vouched.assertion, signature: vouched.signature)
    }
  }
}

extension Placement {
  /// Throws if an administrator gave the passcode: since somebody else knows it, it serves only to be changed.
  func requireOwnPasscode() throws(Refusal) {
    guard mustChange else { return }
    throw Refusal(
      .precondition, "passcode_must_change", field: "passcode", "passcode was given by an administrator; change it")
  }
}
