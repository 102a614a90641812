internal import AccountContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Who has to act where an item waits for somebody, and what helps.
extension Uploader {
  /// What an upload tells of a person's work on the device, where that is new.
  struct WaitingNews: Sendable {
    let personID: String
    /// Why it waits for somebody; nil: it does not any more.
    let rule: String?
  }

  /// What administrators do not know yet of whose work waits on the device for somebody. Nothing is known about people
  /// whose items wait for something else, such as a service that could not be reached.
  static func waitingNews(
    of outcomes: [ItemOutcome], _ owners: [String: String], on deviceID: String, _ snapshot: Snapshot
  ) throws -> [WaitingNews] {
    let known = try WaitingWorkStore.rules(on: deviceID, snapshot)
    return try Dictionary(grouping: outcomes) { owners[$0.personID] ?? $0.personID }.compactMap { owner, items in
      let waiting = items.filter { $0.state == .waiting }
      let rule = waiting.first(where: UploadRules.needsSomebody)?.rule
      guard rule != known[owner], rule != nil || waiting.isEmpty else { return nil }
      let news = WaitingNews(personID: owner, rule: rule)
      return try isStill(news, snapshot) ? news : nil
    }
  }

  /// A device may name anybody: only people with an account are noted. One that has ended, or was erased, is none.
  private static func isStill(_ news: WaitingNews, _ snapshot: Snapshot) throws -> Bool {
    guard news.rule != nil else { return true }
    guard let person = try PersonStore.person(news.personID, snapshot) else { return false }
    return person.erasedAt == nil && person.mergedInto.isEmpty
  }

  func store(_ news: [WaitingNews], on deviceID: String, _ context: CallContext) async throws {
    guard !news.isEmpty else { return }
    try await parts.data.change(context, of: AccountData.own) { transaction, _, _ in
      // What was so when the answer was worked out may have changed: the device was wiped, the person erased.
      _ = try DeviceStore.inUse(deviceID, transaction)
      for one in news.sorted(by: { $0.personID < $1.personID }) {
        try PersonStore.hold(one.personID, transaction)
        guard try Self.isStill(one, transaction) else { continue }
        try WaitingWorkStore.set(one.rule, of: one.personID, on: deviceID, transaction)
      }
    }
  }

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
