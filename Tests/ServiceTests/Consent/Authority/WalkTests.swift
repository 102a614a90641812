import AuthorityKit
import Base
import ConsentContract
import RPC
import TestSupport
import Testing
import Wire

/// Everybody calls everything: what the services do is compared with the test's own reading of the contract.
@Suite("Everybody calls everything", .timeLimit(.minutes(10))) struct WalkTests {
  static let everybody = Actor.everybody

  enum Outcome {
    case denied
    case admitted(answer: String)
    /// Admitted, and not done for another reason.
    case failed(Status)
  }

  static func outcome(of row: Row, by clients: ConsentClients, on target: AuthorityWorld.Target) async -> Outcome {
    do {
      return .admitted(answer: "\(try await row.call(clients, target))")
    } catch let status as Status {
      let isDenied = status.code == .permissionDenied || status.code == .unauthenticated
      return isDenied ? .denied : .failed(status)
    } catch {
      return .admitted(answer: "\(error)")
    }
  }

  @Test("every method of the consent services has a row")
  func complete() throws {
    let services = [
      "StudyService", "DocumentService", "FlowService", "SessionService", "RecordService", "WebhookService",
    ]
    let methods = try PermissionTable().rules.keys.filter { name in
      services.contains { name.hasPrefix("\($0)/") }
    }
    #expect(Set(Row.consent.map(\.method)) == Set(methods))
  }

  @Test("every method, by everybody, on one's own and others' data, sites, studies and tenants, as the contract says")
  func walk() async throws {
    let world = try await AuthorityWorld()
    let rules = try PermissionTable().rules
    let models = world.facts.mapValues { Model(rules: rules, facts: $0) }
    let nobody = Model(rules: rules, facts: Facts())
    let errors = try StatedErrors()
    var (calls, admitted, unstated) = (0, 0, Set<String>())
    for (number, actor) in Self.everybody.enumerated() {
      let clients = world.clients(actor)
      for (place, target) in world.targets.enumerated() {
        // Each person meets each method, on half of all targets; a long test leaves nothing out.
        for (index, row) in Row.consent.enumerated()
        where LongTests.areWanted || (number + place + index).isMultiple(of: 2) {
          let outcome = await Self.outcome(of: row, by: clients, on: target)
          calls += 1
          if !actor.tenant.isEmpty, actor.tenant != target.tenant {
            if case .admitted(let answer) = outcome {
              #expect(!target.marks.contains(where: answer.contains), "\(actor.description) \(row.method): \(answer)")
            }
            continue
          }
          let expected = (models[actor.tenant] ?? nobody).may(actor, row.method, row.thing(actor, target))
          switch outcome {
          case .denied:
            if expected { Issue.record("\(actor.description) was refused \(row.method) on \(target.subject)") }
          case .admitted(let answer):
            admitted += 1
            if !expected { Issue.record("\(actor.description) got \(row.method) on \(target.subject): \(answer)") }
          case .failed(let status):
            admitted += 1
            if let misfit = errors.misfit(status, of: row.method) { unstated.insert(misfit) }
            if !expected {
              Issue.record("\(actor.description) was let to \(row.method) on \(target.subject): \(status)")
            }
          }
        }
      }
    }
    #expect(calls > 5000 && admitted > 500, "\(calls) calls, \(admitted) admitted")
    #expect(unstated.sorted() == [], "the contract names the code, or no method answers with it")
    await world.end()
  }

  @Test("lists leave out what is not open to the caller")
  func lists() async throws {
    let world = try await AuthorityWorld()
    let heart = world.clients(Actor(name: "ines", grants: ["investigator@heart/north"]))
    #expect(try await heart.studies.listStudies(ListStudiesRequest()).studies.map(\.studyID) == ["heart"])
    let bea = world.clients(Actor(name: "bea"))
    #expect(try await bea.studies.listStudies(ListStudiesRequest()).studies.map(\.studyID) == ["heart"])
    let tasks = ListSigningTasksRequest(studyID: "heart")
    let own = try await heart.sessions.listSigningTasks(tasks).tasks
    #expect(own.map(\.subjectID) == ["bea"] && own.map(\.role) == [.investigator])
    let witness = world.clients(Actor(name: "wim", grants: ["witness@heart"]))
    #expect(Set(try await witness.sessions.listSigningTasks(tasks).tasks.map(\.subjectID)) == ["bea", "ben"])
    #expect(try await bea.sessions.listSigningTasks(tasks).tasks.isEmpty, "the participant has signed")
    // Without a study, those of all studies; of one record, that record's.
    #expect(try await heart.sessions.listSigningTasks(ListSigningTasksRequest()).tasks == own)
    let ofRecord = ListSigningTasksRequest(recordID: own.first?.recordID ?? "")
    #expect(try await heart.sessions.listSigningTasks(ofRecord).tasks == own)
    #expect(try await witness.sessions.listSigningTasks(ofRecord).tasks.map(\.role) == [.witness])
    #expect(try await bea.sessions.listSigningTasks(ofRecord).tasks.isEmpty)
    let coordinator = world.clients(Actor(name: "cora", grants: ["coordinator@heart"]))
    for request in [ListSigningTasksRequest(), ofRecord] {
      await expectRefusal(.permissionDenied, "not_admitted") {
        try await coordinator.sessions.listSigningTasks(request)
      }
    }
    await world.end()
  }

  @Test("a stored answer is repeated only to somebody who still may: after a role or a guardian was removed, it is not")
  func replays() async throws {
    let world = try await AuthorityWorld()
    let key = CallOptions(idempotencyKey: .given("the-same-key"))
    let site = CreateSiteRequest(site: StudySite(studyID: "heart", siteID: "east", name: "East"))
    func create(_ grants: [String]) async throws -> CreateSiteResponse {
      try await world.clients(Actor(name: "amy", grants: grants)).studies.createSite(site, options: key)
    }
    let first = try await create(["admin@heart"])
    #expect(try await create(["admin@heart"]) == first, "a repeat gets the first answer")
    for grants in [[], ["coordinator@heart"], ["admin@lung"], ["admin@heart/north"]] {
      await expectRefusal(.permissionDenied, "not_admitted") { try await create(grants) }
    }
    #expect(try await create(["admin@*"]) == first)

    let target = world.targets[0]
    let gil = world.clients(Actor(name: "gil"))
    let withdraw = WithdrawConsentRequest(recordID: target.record)
    let withdrawn = try await gil.records.withdrawConsent(withdraw, options: key)
    #expect(try await gil.records.withdrawConsent(withdraw, options: key) == withdrawn)
    func setGuardian(removed: Bool) async throws {
      _ = try await world.clients(Actor(name: "cora", grants: ["coordinator@heart/north"])).studies.setGuardian(
        SetGuardianRequest(
          studyID: target.study, subjectID: target.subject, guardianID: "gil", authority: .parent, removed: removed))
    }
    try await setGuardian(removed: true)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await gil.records.withdrawConsent(withdraw, options: key)
    }
    try await setGuardian(removed: false)
    #expect(try await gil.records.withdrawConsent(withdraw, options: key) == withdrawn)
    await world.end()
  }
}
