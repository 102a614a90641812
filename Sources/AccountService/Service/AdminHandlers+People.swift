internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Administration of people: roles, locks, passcodes, merging, holds.
extension AdminHandlers {
  func listAccounts(_ request: ListAccountsRequest, context: CallContext) async throws -> ListAccountsResponse {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (people, next) = try PersonStore.list(page, snapshot)
      let accounts = try people.map { person in
        if person.erasedAt == nil { disclosure.note("profile", of: try person.subject(), for: "list of accounts") }
        return try Self.entry(person, snapshot)
      }
      return ListAccountsResponse(accounts: accounts, nextPageToken: next)
    }
  }

  private static func entry(_ person: StoredPerson, _ snapshot: Snapshot) throws -> AccountEntry {
    let title = person.erasedAt == nil ? try PersonStore.profile(of: try person.subject(), snapshot).title : ""
    return AccountEntry(
      personID: person.id, title: title, deviceIDs: try PlacementStore.all(of: person.id, snapshot).map(\.deviceID),
      roles: try RoleStore.roles(of: person.id, snapshot), locked: person.isLocked, mergedInto: person.mergedInto,
      erased: person.erasedAt != nil)
  }

  // MARK: Roles

  func grantRole(_ request: GrantRoleRequest, context: CallContext) async throws -> GrantRoleResponse {
    let role = try RoleText(request.role)
    return try await parts.data.once(request, context, of: Self.place(of: role)) { transaction, caller, _ in
      try PersonStore.hold(request.personID, transaction)
      let person = try Self.standing(request.personID, transaction)
      let share = caller.administersTenant ? nil : role.study
      if try RoleStore.add(role.text, to: person.id, withinShareOf: share, transaction) {
        try ChangeStore.note(.roles, person.id, of: person.id, transaction)
        try transaction.note(.roleGranted, by: caller.actor, person: person.id, note: role.text)
      }
      return GrantRoleResponse(roles: try Self.roles(of: person.id, for: caller, at: role, transaction))
    }
  }

  func revokeRole(_ request: RevokeRoleRequest, context: CallContext) async throws -> RevokeRoleResponse {
    let role = try RoleText(request.role)
    return try await parts.data.once(request, context, of: Self.place(of: role)) { transaction, caller, _ in
      try PersonStore.hold(request.personID, transaction)
      let person = try PersonStore.found(request.personID, transaction)
      if try RoleStore.remove(role.text, from: person.id, transaction) {
        // Tokens carry roles: those that were issued until now are void, and a refresh gives one without the role.
        let newest = try SessionStore.newestToken(of: person.id, transaction)
        try RevocationStore.put(.personID(person.id), newest: newest, transaction)
        try ChangeStore.note(.roles, person.id, of: person.id, transaction)
        try transaction.note(.roleRevoked, by: caller.actor, person: person.id, note: role.text)
      }
      return RevokeRoleResponse(roles: try Self.roles(of: person.id, for: caller, at: role, transaction))
    }
  }

  /// The roles of a person that the caller administers: those of the study in question, or all of them.
  private static func roles(
    of personID: String, for caller: Caller, at role: RoleText, _ snapshot: Snapshot
  ) throws -> [String] {
    let all = try RoleStore.roles(of: personID, snapshot)
    guard !caller.administersTenant else { return all }
    return all.filter { (try? RoleText($0))?.study == role.study }
  }

  /// What the caller has to administer to grant or remove the role: its study, also for a role at a site, or the whole
  /// tenant.
  private static func place(of role: RoleText) -> AccessTarget { role.study == "*" ? .wholeTenant : .study(role.study) }

  /// A person who is neither merged nor erased.
  private static func standing(_ id: String, field: String = "person_id", _ snapshot: Snapshot) throws -> StoredPerson {
    let person = try PersonStore.found(id, field: field, snapshot)
    guard person.mergedInto.isEmpty, person.erasedAt == nil else {
      throw Refusal(.precondition, "person_gone", field: field, "\(field): the account was merged or erased before")
    }
    return person
  }

  // MARK: Locks and passcodes

  func setPersonLock(_ request: SetPersonLockRequest, context: CallContext) async throws -> SetPersonLockResponse {
    try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      try PersonStore.hold(request.personID, transaction)
      // An account that was merged has no lock of its own: locking the account that stays locks its person out.
      let person = try Self.standing(request.personID, transaction)
      if try PersonStore.setLock(request.locked, person.id, transaction) {
        if request.locked { _ = try transaction.endSessions(of: person.id, by: caller.actor) }
        try transaction.note(
          request.locked ? .personLocked : .personUnlocked, by: caller.actor, person: person.id)
      }
      return SetPersonLockResponse()
    }
  }

  func resetPasscode(_ request: ResetPasscodeRequest, context: CallContext) async throws -> ResetPasscodeResponse {
    try await parts.data.admit(context, to: { _, _ in AccessTarget.wholeTenant })
    let passcode = Codes.make(12, from: parts.randomness.bytes(12))
    let verifier = try await parts.passcodes.verifier(of: passcode, for: context.turn)
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      guard try PlacementStore.placement(of: request.personID, on: request.deviceID, transaction) != nil else {
        throw Refusal.notFound("person", request.personID)
      }
      let person = try PersonStore.found(request.personID, transaction)
      try PlacementStore.setVerifier(
        verifier, of: try person.subject(), on: request.deviceID, mustChange: true, transaction)
      try OfflineVerifierStore.revoke(of: person.id, at: request.deviceID, transaction)
      try parts.attempts.forgive(.person(person.id, device: request.deviceID), transaction)
      for session in try SessionStore.running(on: request.deviceID, transaction) where session.personID == person.id {
        try transaction.endSession(session, by: caller.actor)
      }
      try transaction.note(.passcodeReset, by: caller.actor, person: person.id, device: request.deviceID)
      return ResetPasscodeResponse(passcode: passcode)
    }
  }

  // MARK: Merging and holding

  func mergePeople(_ request: MergePeopleRequest, context: CallContext) async throws -> MergePeopleResponse {
    let answer: MergePeopleResponse = try await parts.data.once(request, context, of: AccountData.own) {
      transaction, caller, _ in
      for id in [request.personID, request.intoPersonID].sorted() { try PersonStore.hold(id, transaction) }
      try Self.requireOthers(request, by: caller, transaction)
      if let known = try PersonStore.person(request.personID, transaction), !known.mergedInto.isEmpty,
        known.mergedInto == request.intoPersonID
      {
        // The accounts are merged already. This tells services that were not told yet, or whose job was given up.
        try MergeJob.enqueue(known.id, into: known.mergedInto, transaction)
        let staying = try PersonStore.found(known.mergedInto, field: "into_person_id", transaction)
        // The stored response has the person's title, so it is erased with the person.
        if staying.erasedAt == nil { transaction.concern(try staying.subject()) }
        return MergePeopleResponse(account: try Self.entry(staying, transaction))
      }
      let ending = try Self.standing(request.personID, transaction)
      let staying = try Self.standing(request.intoPersonID, field: "into_person_id", transaction)
      guard ending.id != staying.id else {
        throw Refusal(.invalid, "same_person", field: "into_person_id", "into_person_id is the account that ends")
      }
      // The lock would end with the account, whose passcode would then open the other account.
      for person in [ending, staying] where person.isLocked { throw person.lockedOut }
      let (old, new) = (try ending.subject(), try staying.subject())
      for placement in try PlacementStore.all(of: ending.id, transaction) {
        // On a device that lists both, the passcode of the account that stays counts.
        if try PlacementStore.insert(staying.id, on: placement.deviceID, transaction),
          let verifier = try PlacementStore.verifier(of: old, on: placement.deviceID, transaction)
        {
          try PlacementStore.setVerifier(
            verifier, of: new, on: placement.deviceID, mustChange: placement.mustChange, transaction)
        }
        try PlacementStore.remove(ending.id, from: placement.deviceID, transaction)
      }
      for role in try RoleStore.roles(of: ending.id, transaction) {
        _ = try RoleStore.remove(role, from: ending.id, transaction)
        _ = try RoleStore.add(role, to: staying.id, field: "into_person_id", transaction)
      }
      _ = try transaction.endSessions(of: ending.id, by: caller.actor)
      try PersonStore.merge(ending.id, into: staying.id, transaction)
      // The next upload of such work says that it is the other account's now.
      try WaitingWorkStore.removeAll(of: ending.id, transaction)
      // ConsentService places legal holds on a person with all accounts, but hears of this merge later. Until then its
      // holds on each account are shared here, so that none is erased.
      let names = try PersonStore.names(of: staying.id, transaction).map { try Subject.stored($0) }
      try transaction.shareHolds(among: names, ofServices: true)
      try ChangeStore.adopt(from: ending.id, by: staying.id, transaction)
      try ChangeStore.note(.roles, staying.id, of: staying.id, transaction)
      try MergeJob.enqueue(ending.id, into: staying.id, transaction)
      try transaction.note(.peopleMerged, by: caller.actor, person: ending.id, note: "into \(staying.id)")
      try transaction.note(.peopleMerged, by: caller.actor, person: staying.id, note: "from \(ending.id)")
      transaction.concern(new)
      return MergePeopleResponse(account: try Self.entry(try PersonStore.found(staying.id, transaction), transaction))
    }
    guard let account = answer.account, !account.title.isEmpty else { return answer }
    // A repeat merges nobody but discloses the title again, so the disclosure is noted outside of `once`.
    try await parts.data.disclose(context, of: AccountData.own) { _, _, disclosure in
      disclosure.note("profile", of: AccessTarget(study: .none, subject: account.personID), for: "merge of accounts")
    }
    return answer
  }

  /// Refuses a merge by the person concerned: an administrator who merged an account with their own could read and
  /// decide as the other person from then on, so another administrator has to do it. Only a person may, since an API
  /// key may be in anybody's hands.
  private static func requireOthers(_ request: MergePeopleRequest, by caller: Caller, _ snapshot: Snapshot) throws {
    try caller.requirePerson(field: "person_id", "a person says that two accounts are one person's")
    let own = try names(of: caller, snapshot)
    let named = [(request.personID, "person_id"), (request.intoPersonID, "into_person_id")]
    for (id, field) in named where own.contains(id) {
      let message = "\(field) is an account of the caller's own; another administrator merges it"
      throw Refusal(.denied, "own_account", field: field, message)
    }
  }

  /// All accounts of a caller who is a person; none for others, even if their name is that of an account.
  private static func names(of caller: Caller, _ snapshot: Snapshot) throws -> [String] {
    guard caller.isPerson else { return [] }
    return try PersonStore.names(of: PersonStore.owner(of: caller.actor, snapshot), snapshot)
  }

  func holdAccount(_ request: HoldAccountRequest, context: CallContext) async throws -> HoldAccountResponse {
    try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      let subject = try Self.held(request.personID, by: caller, transaction)
      try caller.requireMayHold(
        request.held, request.personID, field: "person_id", knownAs: try Self.names(of: caller, transaction))
      if request.reason.allSatisfy(\.isWhitespace) {
        let what = request.held ? "a legal hold" : "who lifts a legal hold"
        throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; \(what) says why")
      }
      guard try transaction.setHold(request.held, on: subject, by: caller, reason: request.reason) else {
        return HoldAccountResponse()
      }
      let note = request.held ? "held" : "no longer"
      try transaction.note(.holdChanged, by: caller.actor, person: subject.id, note: note)
      return HoldAccountResponse()
    }
  }

  /// The person to be held or released. A service may also name somebody who has no account yet.
  private static func held(_ personID: String, by caller: Caller, _ snapshot: Snapshot) throws -> Subject {
    try caller.isPerson
      ? PersonStore.found(personID, snapshot).subject() : Subject.named(personID, field: "person_id")
  }
}
