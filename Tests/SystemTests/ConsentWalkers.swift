import Base
import Bus
import ConsentContract
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

/// Clients that walk a flow of forms again and again, and record every acknowledged step.
final class ConsentWalkers: Sendable {
  struct Walk: Sendable {
    let sessionID: String
    /// How many actions were answered.
    let acknowledged: Int
    /// How many of them decided a form, which makes a record.
    let decided: Int
  }

  private static let study = "field-service"
  private let channel: BusChannel
  private let isStopped = Mutex(false)

  init(channel: BusChannel) {
    self.channel = channel
  }

  private func client(_ subject: String, _ kind: CallerKind, _ grants: [String] = []) -> ConsentClients {
    ConsentClients(channel.acting(for: CallerIdentity(kind: kind, tenant: "t1", subject: subject, grants: grants)))
  }

  /// Makes the study and publishes the flow of a sample.
  func open(flow path: String) async throws {
    let admin = client("admin", .person, ["admin@*", "publisher@*"])
    let options = CallOptions(waitsForReady: true)
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Field service")), deadline: .seconds(30),
      options: options)
    let flow = try CreateFlowRequest(json: try Files.read(path))
    let draft = try await admin.flows.createFlow(flow)
    #expect(draft.problems.isEmpty)
    _ = try await admin.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: flow.flowID, expectedRevision: draft.version?.revision ?? 0))
  }

  func stop() { isStopped.withLock { $0 = true } }

  /// Walks with the given number of clients until stopped; each running walk is finished.
  func walk(_ clients: Int) async throws -> [Walk] {
    try await withThrowingTaskGroup(of: [Walk].self) { group in
      for client in 0..<clients {
        group.addTask {
          var walks: [Walk] = []
          repeat {
            walks.append(try await self.walkOnce("subject-\(client)-\(walks.count)"))
          } while !self.isStopped.withLock({ $0 })
          return walks
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func walkOnce(_ subject: String) async throws -> Walk {
    let app = client("app", .device)
    let begin = StartSessionRequest(flowID: "field-onboarding", subjectID: subject, clientSchema: 2)
    let start = try await retrying("begin-\(subject)") {
      try await app.sessions.startSession(begin, deadline: .seconds(60), options: $0)
    }
    var view = try #require(start.session)
    var (acknowledged, decided) = (0, 0)
    while let offered = view.screen?.offered, !offered.isEmpty {
      let kind = try #require([ActionKind.next, .allow, .done].first(where: offered.contains))
      let request = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: kind), clientSchema: 2)
      // The bus repeats a call that was lost with its worker, under its key; calls that still fail are repeated here,
      // under the same key.
      view = try await retrying("\(view.sessionID)-\(view.version)") {
        try #require(try await app.sessions.actOnSession(request, deadline: .seconds(60), options: $0).session)
      }
      acknowledged += 1
      if kind == .allow { decided += 1 }
    }
    return Walk(sessionID: view.sessionID, acknowledged: acknowledged, decided: decided)
  }

  func session(_ id: String) async throws -> SessionView {
    try #require(try await client("app", .device).sessions.getSession(GetSessionRequest(sessionID: id)).session)
  }

  /// How many actions of each session are on record.
  func recordedActions() async throws -> [String: Int] {
    let admin = client("admin", .person, ["admin@*", "publisher@*"])
    var counts: [String: Int] = [:]
    var token = ""
    while true {
      let page = try await admin.records.listEvents(ListEventsRequest(pageSize: 1000, pageToken: token))
      for event in page.events where event.kind == .sessionActed { counts[event.sessionID, default: 0] += 1 }
      guard page.nextPageToken != token else { return counts }
      token = page.nextPageToken
    }
  }
}
