import AccountContract
import AccountService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

extension AccountWorld {
  /// A device with people, whose pending work is uploaded whoever is signed in.
  func openForUpload(_ titles: String...) async throws -> [String] {
    try await allowSelfRegistration { $0.uploadAtSwitch = true }
    try await register("tablet")
    var people: [String] = []
    for title in titles {
      people.append(try await onboard(title).person)
      clock.move(by: .milliseconds(1))
    }
    return people
  }

  func grants(of people: [String]) async throws -> [String] {
    var grants: [String] = []
    for person in people { grants.append(try await signIn(person).uploadGrant) }
    return grants
  }

  /// Lets the other services hear of the accounts that were merged.
  func tellOfMerges() async throws {
    let (database, jobs) = (services.database, services.jobs(telling: peers))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await jobs.run() }
      defer { group.cancelAll() }
      try await eventually("all are told", await database.jobCounts()) { counts in
        !counts.contains { [.waiting, .running].contains($0.state) }
      }
    }
  }

  func push(_ items: [QueueItem], _ grants: [String], device id: String = "tablet") async throws -> PushQueueResponse {
    try await device(id).sync.pushQueue(PushQueueRequest(items: items, grants: grants))
  }

  struct Pulled {
    var changes: [SyncChange] = []
    var cursor = ""
    var isResync = false
    var omitted: [SyncChangeKind] = []
  }

  func pull(_ person: String, after cursor: String = "", device: String = "tablet") async throws -> Pulled {
    var pulled = Pulled()
    for try await answer in try self.person(person, at: device).sync.pullChanges(PullChangesRequest(cursor: cursor)) {
      pulled.changes += answer.changes
      pulled.cursor = answer.cursor
      pulled.isResync = pulled.isResync || answer.resync
      pulled.omitted = answer.omitted
    }
    return pulled
  }
}
