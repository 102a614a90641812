internal import AccountContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Who has to act where an item waits for somebody, and what helps.
extension Uploader {
  /// What cannot be read of a person counts as missing, so that the upload does not fail for everybody.
  ///
  /// - Parameter outcome: the first of the person's items that waits for somebody.
  static func affected(
    _ owner: String, by outcome: ItemOutcome, _ grants: UploadGrants, _ device: StoredDevice,
    _ fields: [ProfileField], _ snapshot: Snapshot
  ) -> AffectedPerson {
    // Another person learns that there is something to decide, but not what.
    let rule = outcome.rule.isEmpty ? "conflict" : outcome.rule
    let placement = try? PlacementStore.placement(of: owner, on: device.id, snapshot)
    let account = try? PersonStore.person(owner, snapshot)
    // Without a grant of a person who is not listed here, the answer is the same whether or not there is such a person.
    guard let account, placement != nil || grants.claims(of: owner) != nil else {
      let person = ListedPerson(personID: outcome.personID)
      return AffectedPerson(person: person, rule: rule, step: .invite)
    }
    let profile = try? PersonStore.profile(of: account.subject(), snapshot)
    let visible = ProfileRules.visible(profile ?? PersonProfile(), fields)
    let step: BlockedStep =
      account.isLocked
      ? .unlock : placement == nil ? .invite : outcome.state == .conflict ? .decide : .signIn
    let person = ListedPerson(
      personID: owner, profile: visible, lastSignInAt: placement?.lastSignIn.map { .init($0) })
    return AffectedPerson(person: person, rule: rule, step: step, name: ProfileRules.shortName(visible))
  }
}
