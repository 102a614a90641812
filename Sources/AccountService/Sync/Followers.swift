internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage

/// Follows the events of other services, for all syncs of this process: when a thousand devices sync at once, the same
/// events are not read a thousand times.
actor Followers {
  private struct Place: Hashable {
    let source: ChangeStore.Source
    let tenant: Tenant
  }

  private let data: ServiceDatabase
  private let peers: any SyncPeers
  private var works: [Place: SharedWork] = [:]
  /// Who wants to be kept up to date, and the task that does it for all of them.
  private var keeping: [Tenant: (count: Int, task: Task<Void, any Error>)] = [:]

  init(data: ServiceDatabase, peers: any SyncPeers) {
    (self.data, self.peers) = (data, peers)
  }

  /// Returns once everything is noted that the service had acknowledged before.
  nonisolated func catchUp(with source: ChangeStore.Source, _ tenant: Tenant) async throws {
    let work = await work(of: Place(source: source, tenant: tenant))
    // While this call waits for the service, other calls may use its slot.
    let slot = CallContext.current?.slot
    slot?.waits()
    defer { slot?.resumes() }
    try await work.run()
  }

  /// Follows all services until the caller is cancelled, for all such callers together.
  func keepUp(with tenant: Tenant, each interval: Duration) async throws {
    let task =
      keeping[tenant]?.task
      ?? Task.detached {
        while true {
          for source in ChangeStore.Source.allCases {
            // What cannot be reached now is asked again.
            try? await self.catchUp(with: source, tenant)
          }
          try await Task.sleep(for: interval)
        }
      }
    keeping[tenant] = ((keeping[tenant]?.count ?? 0) + 1, task)
    defer { leave(tenant) }
    try await Task.sleep(for: .seconds(365 * 86_400))
  }

  private func leave(_ tenant: Tenant) {
    guard let (count, task) = keeping[tenant] else { return }
    keeping[tenant] = count > 1 ? (count - 1, task) : nil
    if count == 1 { task.cancel() }
  }

  private func work(of place: Place) -> SharedWork {
    if let work = works[place] { return work }
    let follower = follower(of: place.source)
    let work = SharedWork { try await follower.catchUp(place.tenant) }
    works[place] = work
    return work
  }

  private func follower(of source: ChangeStore.Source) -> EventFollower {
    switch source {
    case .consent: .consent(data, peers)
    case .signature: .signature(data, peers)
    }
  }
}
