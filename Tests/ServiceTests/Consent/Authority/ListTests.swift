import AuthorityKit
import Base
import ConsentContract
import RPC
import Testing
import Wire

/// Lists, row by row: what a list gives somebody is what they may read one by one, and all of it.
@Suite("Lists give what may be read one by one", .timeLimit(.minutes(5))) struct ListTests {
  /// Something in a list: its name, its tenant's target, and the call that reads it alone.
  private struct Element: Sendable {
    let id: String
    /// nil: there is no such call, and the table decides by place and person.
    var read: (@Sendable (ConsentClients) async throws -> any Message)?
    var thing: Thing?
  }

  private struct List: Sendable {
    let method: String
    let elements: @Sendable (ConsentClients, AuthorityWorld.Target) async throws -> [Element]
    /// What would stand in the list for each target, where the target belongs into it as a whole.
    var expected: (@Sendable (AuthorityWorld.Target) -> [Element])?
  }

  private static func record(_ id: String) -> Element {
    Element(id: id, read: { try await $0.records.getRecord(GetRecordRequest(recordID: id)) })
  }

  private static func session(_ id: String) -> Element {
    Element(id: id, read: { try await $0.sessions.getSession(GetSessionRequest(sessionID: id, clientSchema: 2)) })
  }

  private static func person(_ study: String, _ site: String, _ subject: String) -> Thing {
    Thing(study: .one(study), site: .one(site), subject: subject)
  }

  private static let lists: [List] = [
    List(
      method: "StudyService/ListStudies",
      elements: { clients, _ in
        try await clients.studies.listStudies(ListStudiesRequest()).studies.map(\.studyID).map { id in
          Element(id: id, read: { try await $0.studies.getStudy(GetStudyRequest(studyID: id)) })
        }
      },
      expected: { target in
        [Element(id: target.study, read: { try await $0.studies.getStudy(GetStudyRequest(studyID: target.study)) })]
      }),
    List(
      method: "StudyService/ListSites",
      elements: { clients, target in
        try await clients.studies.listSites(ListSitesRequest(studyID: target.study)).sites.map { site in
          Element(id: site.siteID, thing: Thing(study: .one(site.studyID)))
        }
      }),
    List(
      method: "StudyService/ListInvitations",
      elements: { clients, target in
        try await clients.studies.listInvitations(ListInvitationsRequest(studyID: target.study)).invitations.map {
          Element(id: "invitation of \($0.subjectID)", thing: person(target.study, $0.siteID, $0.subjectID))
        }
      },
      expected: { [Element(id: "invitation of \($0.subject)", thing: person($0.study, $0.site, $0.subject))] }),
    List(
      method: "DocumentService/ListDocuments",
      elements: { clients, target in
        try await clients.documents.listDocuments(ListDocumentsRequest(studyID: target.study)).documents
          .map(\.documentID).map { id in
            Element(id: id, read: { try await $0.documents.getDocument(GetDocumentRequest(documentID: id)) })
          }
      }),
    List(
      method: "FlowService/ListFlows",
      elements: { clients, target in
        try await clients.flows.listFlows(ListFlowsRequest(studyID: target.study)).flows.map(\.flowID).map { id in
          Element(id: id, read: { try await $0.flows.getFlow(GetFlowRequest(flowID: id)) })
        }
      }),
    List(
      method: "RecordService/ListRecords",
      elements: { clients, target in
        try await clients.records.listRecords(ListRecordsRequest(studyID: target.study, siteID: target.site)).records
          .map(\.recordID)
          .map(record)
      },
      expected: { [record($0.record)] }),
    List(
      method: "SessionService/ListConsentSessions",
      elements: { clients, target in
        try await clients.sessions.listConsentSessions(
          ListConsentSessionsRequest(studyID: target.study, subjectID: target.subject)
        ).sessions.map(\.sessionID).map(session)
      },
      expected: { [session($0.runningSession), session($0.endedSession)] }),
    List(
      method: "SessionService/ListSigningTasks",
      elements: { clients, target in
        try await clients.sessions.listSigningTasks(ListSigningTasksRequest(studyID: target.study)).tasks.map { task in
          var thing = person(task.studyID, task.siteID, task.subjectID)
          thing.signs = task.role == .witness ? "WITNESS" : task.role == .investigator ? "INVESTIGATOR" : "?"
          return Element(id: "\(task.recordID)/\(task.signatureID)", thing: thing)
        }
      },
      expected: { target in
        ["witness", "investigator"].map { role in
          var thing = person(target.study, target.site, target.subject)
          thing.signs = role.uppercased()
          return Element(id: "\(target.record)/\(role)", thing: thing)
        }
      }),
  ]

  private static func isAdmitted(_ call: () async throws -> Any) async -> Bool {
    do {
      _ = try await call()
      return true
    } catch {
      let code = (error as? Status)?.code
      return code != .permissionDenied && code != .unauthenticated
    }
  }

  @Test("each row of a list may be read by who got the list, and no row that may be read there is missing")
  func rows() async throws {
    let world = try await AuthorityWorld()
    let table = try PermissionTable().rules
    let models = world.facts.mapValues { Model(rules: table, facts: $0) }
    var counts: [String: (rows: Int, left: Int)] = [:]
    for actor in Actor.everybody where !actor.tenant.isEmpty {
      let clients = world.clients(actor)
      let model = try #require(models[actor.tenant])
      for list in Self.lists {
        // Persons of one study share a list of it.
        for target in world.targets where target.tenant == actor.tenant {
          guard let found = try? await list.elements(clients, target) else { continue }
          let name = "\(actor.description), \(list.method) of \(target.study)"
          for element in found {
            let mayRead = await Self.mayRead(element, actor, clients, list.method, model)
            #expect(mayRead, "\(name) shows \(element.id)")
            counts[list.method, default: (0, 0)].rows += 1
          }
          let ids = Set(found.map(\.id))
          #expect(ids.count == found.count, "\(name): \(found.map(\.id))")
          for element in list.expected?(target) ?? [] where !ids.contains(element.id) {
            let mayRead = await Self.mayRead(element, actor, clients, list.method, model)
            #expect(!mayRead, "\(name) leaves out \(element.id)")
            counts[list.method, default: (0, 0)].left += 1
          }
        }
      }
    }
    for list in Self.lists {
      let count = counts[list.method] ?? (0, 0)
      #expect(count.rows > 0, "\(list.method) was empty for everybody")
      if ["ListSigningTasks", "ListInvitations"].contains(where: list.method.hasSuffix) {
        #expect(count.left > 0, "\(list.method) left nothing out")
      }
    }
    await world.end()
  }

  private static func mayRead(
    _ element: Element, _ actor: Actor, _ clients: ConsentClients, _ method: String, _ model: Model
  ) async -> Bool {
    if let thing = element.thing, !model.may(actor, method, thing) { return false }
    guard let read = element.read else { return true }
    return await isAdmitted { try await read(clients) }
  }
}
