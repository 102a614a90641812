internal import ServicePolicy
internal import Storage

/// What follows the events of other services, for all syncs of this process: when a thousand devices sync at once, the
/// same events are not read a thousand times.
actor Followers {
  private let data: ServiceDatabase
  private let peers: any SyncPeers
  private var consent: [Tenant: SharedWork] = [:]
  private var signature: [Tenant: SharedWork] = [:]

  init(data: ServiceDatabase, peers: any SyncPeers) {
    (self.data, self.peers) = (data, peers)
  }

  /// Returns once everything is noted that ConsentService had acknowledged before.
  func catchUpWithConsent(_ tenant: Tenant) async throws {
    let work =
      consent[tenant]
      ?? SharedWork { [follower = ConsentFollower(data: data, peers: peers)] in
        try await follower.catchUp(tenant)
      }
    consent[tenant] = work
    try await work.run()
  }

  func catchUpWithSignatures(_ tenant: Tenant) async throws {
    let work =
      signature[tenant]
      ?? SharedWork { [follower = SignatureFollower(data: data, peers: peers)] in
        try await follower.catchUp(tenant)
      }
    signature[tenant] = work
    try await work.run()
  }
}
