internal import RPC

/// How much each caller has taken of something of which a worker has only so much. No caller gets more than is still
/// free: one gets at most a half, two get a third each, and so on.
///
/// Most calls take nothing of the kind, so they are not looked up here.
struct CallerShares: Sendable {
  private let limit: Int
  private(set) var taken = 0
  private var own: [Holder: Int] = [:]

  /// A caller as it counts here: in any role, and at any device.
  struct Holder: Hashable, Sendable {
    let kind: CallerKind
    let tenant: String
    let subject: String

    init(_ identity: CallerIdentity) {
      kind = identity.kind
      tenant = identity.tenant
      subject = identity.subject
    }
  }

  init(of limit: Int) {
    self.limit = limit
  }

  /// False when the caller's share does not allow it; nothing is taken then.
  mutating func take(_ count: Int, for holder: Holder) -> Bool {
    let has = own[holder, default: 0]
    guard KeyAccount.mayTake(count, own: has, of: limit, taken: taken) else { return false }
    own[holder] = has + count
    taken += count
    return true
  }

  mutating func giveBack(_ count: Int, for holder: Holder) {
    guard let has = own[holder] else { return assertionFailure("the caller has taken nothing") }
    own[holder] = has == count ? nil : has - count
    taken -= count
  }

  /// How many have taken something.
  var holders: Int { own.count }
}
