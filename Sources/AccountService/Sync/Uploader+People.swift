internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Tokens
internal import Wire

/// The people whose items a queue has, and whether these items may be uploaded now.
extension Uploader {
  /// The items of one person in a device's queue, with what their upload needs.
  struct Queue: Sendable {
    /// The person whom the items name.
    let person: String
    /// The person who has that account now: another one, once the account was merged.
    let owner: String
    let device: String
    let grants: UploadGrants
    let answered: UploadCount
    /// The caller who uploads.
    let caller: Caller
    let room: ResponseRoom
    /// The first of the person's items that waits since an earlier part of the same sync.
    let behind: String?
    /// What has become of items of this upload so far.
    let ended: [MessageKey<ItemName>: ItemStore.End]

    /// The outcome as the caller gets it: without what the caller may not know, and without a response that does not
    /// fit.
    func told(_ outcome: ItemOutcome) -> ItemOutcome { room.fitted(outcome.shown(to: caller, ofOwner: owner)) }
  }

  /// The person of a queue, and whether and how the queue's items may be carried out now.
  struct Person: Sendable {
    let id: String
    /// As whom the items are carried out.
    let owner: String
    let device: String
    /// nil when the items may be uploaded now; otherwise the rule that forbids it and what is missing.
    let obstacle: (rule: String, message: String)?
    let roles: [String]
    /// Whether the person has an account that items could be kept for.
    let isKnown: Bool
    /// When the account that the items name was merged into the owner's; items that were tried before were tried as the
    /// former account. nil if the items name the owner's own account.
    let ownedSince: Instant?
    /// The services that have not heard of the merge yet: they would deny the owner what the former account may do.
    var unheard: [ChangeStore.Source] = []
  }

  /// Whether and as whom a queue's items may be carried out now. Without a grant of the person's, the answer does not
  /// tell whether there is such a person.
  func person(of queue: Queue, _ context: CallContext) async throws -> Person {
    let now = parts.clock.now
    let grant = queue.grants.claims(of: queue.owner)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, _, _ in
      let device = try DeviceStore.inUse(queue.device, snapshot)
      let account = try PersonStore.person(queue.owner, snapshot)
      // The account that the items name may have been erased alone, after it was merged.
      let ended = try PersonStore.ended(from: queue.person, snapshot)
      // A merge makes the grants of the account that ends void, so this is the time of the merge.
      let ownedSince = ended.last?.voidBefore
      let isKnown = account.map { $0.erasedAt == nil && ended.first?.erasedAt == nil } ?? false
      func held(_ rule: String, _ message: String) -> Person {
        Person(
          id: queue.person, owner: queue.owner, device: device.id, obstacle: (rule, message), roles: [],
          isKnown: isKnown, ownedSince: ownedSince)
      }
      guard let grant else { return held("grant_missing", "the person has to sign in: there is no upload grant") }
      guard let account, isKnown else { return held("unknown_person", "there is no such person") }
      guard !account.isLocked else {
        return held("person_locked", "an administrator has to unlock the person")
      }
      guard try PlacementStore.placement(of: account.id, on: device.id, snapshot) != nil else {
        return held(
          "not_on_device", "an administrator has to invite the person to this device: it lists no such person")
      }
      guard now < grant.expiresAt else {
        return held("grant_expired", "the person has to sign in: the upload grant has expired")
      }
      guard grant.issuedAt > account.voidBefore, account.isActive else {
        return held("grant_revoked", "the person has to sign in: the upload grant was revoked")
      }
      if device.current != account.id, try !SettingsStore.settings(snapshot).uploadAtSwitch {
        return held("waits_for_person", "the tenant has each person's work uploaded while that person is signed in")
      }
      // Roles from an outside identity are valid as long as its session. After that the items wait, rather than being
      // tried without these roles.
      guard try grant.grants.isEmpty || SessionStore.isRunning(grant.session, snapshot) else {
        let message = "the person has to sign in: roles by an outside identity end with its session"
        return held("grant_roles_ended", message)
      }
      let roles = RoleText.union(try RoleStore.roles(of: account.id, snapshot), grant.grants)
      let unheard = try ChangeStore.Source.allCases.filter {
        try ChangeStore.holder(of: queue.person, by: $0, snapshot) != account.id
      }
      return Person(
        id: queue.person, owner: account.id, device: device.id, obstacle: nil, roles: roles, isKnown: true,
        ownedSince: ownedSince, unheard: unheard)
    }
  }
}
