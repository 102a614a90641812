internal import AccountContract
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// Notes which signatures a person may give now.
///
/// No event tells whose tasks there are: that follows from roles and from who somebody is to a subject. So
/// ConsentService is asked as the person, whenever that person pulls, and what it lists is compared with what was
/// noted.
struct TaskFollower: Sendable {
  let data: ServiceDatabase
  let peers: PersonalPeers

  /// How many tasks are sent at most: the oldest ones of each study first.
  private static let most = 1000
  /// How many pages of a study's tasks are read at most.
  private static let mostPages = 10

  /// Notes which tasks have come or gone since the last time. Returns the person's tasks by their identifiers among the
  /// changes.
  func catchUp(_ person: String, _ tenant: Tenant) async throws -> [String: SigningTask] {
    let scope = data.database.scope(tenant)
    let (waiting, noted) = try await scope.read { snapshot in
      (
        // ConsentService denies the data of a merged account to the person who stays until it has heard of the merge.
        try PersonStore.names(of: person, snapshot)
          .filter { try ChangeStore.holder(of: $0, by: .consent, snapshot) == person }
          .flatMap { try ChangeStore.waitingRecords(of: $0, snapshot) },
        Set(try ChangeStore.ids(.task, of: person, snapshot))
      )
    }
    var tasks: [String: SigningTask] = [:]
    for record in waiting.prefix(Self.most) {
      for task in try await peers.tasks(ListSigningTasksRequest(recordID: record)).tasks { tasks[task.name] = task }
    }
    for study in studies { try await list(study, into: &tasks) }
    let found = Set(tasks.keys)
    guard found != noted else { return tasks }
    try await scope.write { transaction in
      for id in noted.subtracting(found) {
        try ChangeStore.note(.task, id, of: person, isRemoved: true, transaction)
      }
      for id in found.subtracting(noted) { try ChangeStore.note(.task, id, of: person, transaction) }
    }
    return tasks
  }

  private func list(_ study: String, into tasks: inout [String: SigningTask]) async throws {
    var request = ListSigningTasksRequest(studyID: study, pageSize: 1000)
    for _ in 0..<Self.mostPages {
      let page = try await peers.tasks(request)
      for task in page.tasks where tasks.count < Self.most { tasks[task.name] = task }
      guard !page.nextPageToken.isEmpty, tasks.count < Self.most else { return }
      request.pageToken = page.nextPageToken
    }
  }

  /// The studies in which the person's roles may sign for others; one that is empty stands for all.
  private var studies: [String] {
    let places = peers.identity.grants.compactMap { grant -> String? in
      let parts = grant.split(separator: "@", maxSplits: 1)
      guard parts.count == 2, ["witness", "investigator"].contains(parts[0]) else { return nil }
      return parts[1].split(separator: "/").first.map(String.init)
    }
    return places.contains("*") ? [""] : Set(places).sorted()
  }
}

extension SigningTask {
  /// The task's identifier among the changes.
  var name: String { "\(recordID)/\(signatureID)" }
}
