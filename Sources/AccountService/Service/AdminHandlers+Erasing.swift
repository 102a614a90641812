internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Erasing a person: the account, the accounts that were merged into it, and every way to become this person again.
extension AdminHandlers {
  /// Erases an account, and then each account that was merged into it, which is the same person's, in a transaction of
  /// its own: a legal hold on one of these keeps no other. The error names those on hold, which a repeat of the call
  /// erases once their holds are lifted.
  func eraseAccount(_ request: EraseAccountRequest, context: CallContext) async throws -> EraseAccountResponse {
    let answer: EraseAccountResponse = try await parts.data.once(request, context, of: AccountData.own) {
      transaction, caller, _ in
      if caller.isService { try Self.requireNoRoles(request.personID, transaction) }
      if request.checkRolesOnly { return EraseAccountResponse() }
      if let person = try PersonStore.person(request.personID, transaction) {
        try Self.erase(person, by: caller.actor, transaction)
      } else {
        try Self.eraseAhead(of: request.personID, by: caller, transaction)
      }
      return EraseAccountResponse()
    }
    if request.checkRolesOnly { return answer }
    let merged = try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      try PersonStore.merged(into: request.personID, snapshot)
    }
    var held: [String] = []
    for id in merged {
      let isErased = try await parts.data.change(context, of: AccountData.own) { transaction, caller, _ in
        let person = try PersonStore.found(id, transaction)
        guard try person.erasedAt != nil || !transaction.vault.isHeld(try person.subject()) else {
          return false
        }
        try Self.erase(person, by: caller.actor, transaction)
        return true
      }
      if !isErased { held.append(id) }
    }
    guard held.isEmpty else {
      let message =
        "person_id: legal holds forbid erasing accounts that were merged into it: \(held.joined(separator: ", ")); "
        + "the others are erased"
      throw Refusal(.precondition, "legal_hold", field: "person_id", message)
    }
    return answer
  }

  /// Refuses to erase somebody who works here, as long as that is so. Otherwise an administrator of one study could
  /// erase any member of staff, by recording a consent of that person in the study and erasing the subject.
  private static func requireNoRoles(_ personID: String, _ snapshot: Snapshot) throws {
    let owner = try PersonStore.owner(of: personID, snapshot)
    guard try !RoleStore.roles(of: owner, snapshot).isEmpty else { return }
    let message = "person_id: '\(personID)' has roles; an administrator of the tenant can erase the account"
    throw Refusal(.precondition, "has_roles", field: "person_id", message)
  }

  /// Erases an account and all that belongs to it. After the restore of a backup, the person's part of the vault is
  /// erased already when this erases the rest again.
  static func erase(_ person: StoredPerson, by actor: String, _ transaction: Transaction) throws {
    guard person.erasedAt == nil else { return }
    _ = try transaction.endSessions(of: person.id, by: actor)
    for placement in try PlacementStore.all(of: person.id, transaction) {
      try PlacementStore.remove(person.id, from: placement.deviceID, transaction)
      // The name of a device that nobody else uses may be that of the person.
      if try PlacementStore.all(on: placement.deviceID, transaction).isEmpty {
        try DeviceName.forget(of: placement.deviceID, by: actor, transaction)
      }
    }
    for role in try RoleStore.roles(of: person.id, transaction) {
      _ = try RoleStore.remove(role, from: person.id, transaction)
    }
    try closeWays(to: person.id, by: actor, transaction)
    try PersonStore.erase(person.id, transaction)
    try ItemStore.removeAll(of: person.id, transaction)
    try WaitingWorkStore.removeAll(of: person.id, transaction)
    try ChangeStore.removeAll(of: person.id, transaction)
    // If the account was merged, the devices of the account that stays show its queued items: they fetch these again.
    let owner = try PersonStore.owner(of: person.id, transaction)
    if owner != person.id { try ChangeStore.noteAgain(.item, of: owner, transaction) }
    if try !transaction.vault.isErased(person.subject()) {
      try transaction.vault.erase(try person.subject(), by: actor, reason: "request")
    }
    try transaction.note(.personErased, by: actor, person: person.id)
  }

  /// Erases somebody who has no account yet, so that they never get one. Only a service may do so, which passes on an
  /// erasure that was decided elsewhere. A person who names nobody's account made a mistake.
  private static func eraseAhead(of personID: String, by caller: Caller, _ transaction: Transaction) throws {
    guard !caller.isPerson else { throw Refusal.notFound("person", personID, field: "person_id") }
    let subject = try Subject.named(personID, field: "person_id")
    if try transaction.vault.isErased(subject) { return }
    try closeWays(to: personID, by: caller.actor, transaction)
    try transaction.vault.eraseAhead(of: subject, by: caller.actor, reason: "request")
    try transaction.note(.personErased, by: caller.actor, person: personID)
  }

  /// Ends the onboardings and the codes that lead to a person.
  static func closeWays(to personID: String, by actor: String, _ transaction: Transaction) throws {
    for open in try OnboardingStore.open(of: personID, transaction) {
      var onboarding = open
      try OnboardingStore.end(&onboarding, as: .ended, transaction)
      try transaction.note(
        .onboardingEnded, by: actor, person: personID, device: onboarding.deviceID, note: "person erased")
    }
    try CodeStore.removeAll(of: personID, transaction)
  }

  /// Refuses the identifier of a person who was erased: nobody gets it again, in whatever way.
  static func requireUnerased(_ personID: String, field: String, _ snapshot: Snapshot) throws {
    guard try snapshot.vault.isErased(try Subject.named(personID, field: field)) else { return }
    throw Refusal(.precondition, "subject_erased", field: field, "\(field): the data of this person were erased")
  }
}
