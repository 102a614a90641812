package import Base
package import OpenID
package import RPC
internal import ServicePolicy
package import Storage
internal import Tokens

/// The services of accounts on one database, with what they share.
package struct AccountServices: Sendable {
  package let database: Database
  let parts: AccountParts

  package init(
    database: Database, consent: any ConsentFlows, peers: any SyncPeers, passcodes: PasscodePool,
    issuers: IssuerSource, secret: [UInt8], lifetimes: TokenLifetimes = TokenLifetimes(), clock: Clock = .system,
    randomness: Randomness = .system
  ) {
    self.database = database
    let data = ServiceDatabase(database) { AccountRelations(snapshot: $0) }
    parts = AccountParts(
      data: data, clock: clock, randomness: randomness,
      identifiers: IdentifierSource(clock: clock, randomness: randomness), consent: consent, peers: peers,
      followers: Followers(data: data, peers: peers),
      passcodes: passcodes, issuers: issuers,
      tokens: TokenMaker(keys: TokenKeys(secret: secret), lifetimes: lifetimes), voucher: Voucher(secret: secret),
      cursors: SyncCursor(secret: secret), attempts: AttemptStore(secret: secret),
      identityAttempts: IdentityAttempts(key: TokenKeys(secret: secret).key(for: "identity")))
  }

  /// Does once more what belongs to an erasure in the list, after the restore of a backup from before it: erases what a
  /// person has outside of the vault, wipes a device or revokes a key.
  package static func eraseAgain(_ subject: Subject, _ transaction: Transaction) throws {
    if let credential = TakenBack(subject) { return try takeBack(credential, transaction) }
    guard let person = try PersonStore.person(subject.id, transaction) else {
      return try AdminHandlers.closeWays(to: subject.id, by: "system", transaction)
    }
    try AdminHandlers.erase(person, by: "system", transaction)
  }

  private static func takeBack(_ credential: TakenBack, _ transaction: Transaction) throws {
    switch credential {
    case .device(let digest):
      guard let id = try DeviceStore.used(transaction).first(where: { Digest(of: Array($0.utf8)).hex == digest }),
        let device = try DeviceStore.device(id, transaction)
      else { return }
      try AdminHandlers.wipe(device.id, by: "system", transaction)
    case .key(let id):
      guard var stored = try APIKeyStore.lockedIfThere(id, transaction) else { return }
      try APIKeyHandlers.revoke(&stored, by: "system", transaction)
    }
  }

  /// The handlers, one type for each service of the contract.
  package var handlers: [any RPCService] {
    [
      DeviceHandlers(parts: parts), PeopleHandlers(parts: parts), SignInHandlers(parts: parts),
      AdminHandlers(parts: parts), APIKeyHandlers(parts: parts), SyncHandlers(parts: parts), ViewHandlers(parts: parts),
      TenantHandlers(parts: parts),
    ]
  }

  /// Writes the counts of repeated readings and denied attempts, which are in memory until then. To be called once no
  /// calls run any more.
  package func writeCounts() async throws { try await parts.data.writeCounts() }

  /// Runs the jobs that changes of accounts cause, until its task is cancelled.
  package func jobs(telling news: any MergeNews, policy: JobPolicy = JobPolicy()) -> JobRunner {
    JobRunner(database, slots: 2, policy: policy, handlers: MergeJob(news: news).handlers)
  }

  /// The service's periodic tasks, in addition to those of Storage.
  package func periodicTasks(every interval: Duration) -> [PeriodicTask] {
    let expiry = AccountExpiry(parts)
    return [PeriodicTask("account.expiry", every: interval) { try await expiry.run() }]
  }
}

/// The parts that the services are built from.
struct AccountParts: Sendable {
  let data: ServiceDatabase
  let clock: Clock
  let randomness: Randomness
  let identifiers: IdentifierSource
  let consent: any ConsentFlows
  let peers: any SyncPeers
  let followers: Followers
  let passcodes: PasscodePool
  let issuers: IssuerSource
  let tokens: TokenMaker
  let voucher: Voucher
  let cursors: SyncCursor
  let attempts: AttemptStore
  let identityAttempts: IdentityAttempts
}
