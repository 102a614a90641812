import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Random histories of one person with two accounts, after each step of which every view says what a model of a few
/// lines says.
@Suite("Decisions and a model of them") struct DecisionModelTests {
  private static let purposes = ["research", "contact"]
  private static let subjects = ["s1", "s2"]

  @Test("every view follows the newest decisions", arguments: TestEngine.allCases)
  func histories(engine: TestEngine) async throws {
    for seed in Array(0..<Self.count(on: engine)) + Self.found {
      let world = try await DecisionWorld(engine)
      var story = "seed \(seed):"
      do {
        try await history(UInt64(seed), in: world, &story)
      } catch {
        Issue.record("\(story): \(error)")
      }
      await world.world.end()
    }
  }

  /// Histories that found a fault once: a no that was said again was older than a yes of the account that was merged
  /// into the person's later.
  private static let found = [625]

  /// How many histories are tried: as many as ASSENT_TEST_HISTORIES says, for a night on SQLite.
  private static func count(on engine: TestEngine) -> Int {
    if let wanted = Environment.current["ASSENT_TEST_HISTORIES"].flatMap({ Int($0) }), engine == .sqlite {
      return wanted
    }
    return LongTests.areWanted ? 400 : engine == .sqlite ? 8 : 2
  }

  private func history(_ seed: UInt64, in place: DecisionWorld, _ story: inout String) async throws {
    let world = place.world
    var generator = SeededGenerator(seed: seed)
    var model = DecisionModel()
    var version: Int32 = 1
    var keeps = true
    var bundles: [(bundle: OfflineBundle, subject: String, begun: Int)] = []
    for _ in 0..<10 {
      model.step += 1
      let subject = Self.subjects.randomElement(using: &generator) ?? ""
      world.clock.move(by: .seconds(Int64.random(in: -90...100, using: &generator)))
      let step = Int.random(in: 0..<18, using: &generator)
      story += " \(step)\(subject)"
      switch step {
      case 0, 1:
        let record = try await place.decideForm(subject, allowed: step == 0)
        model.add(record, ["contact"], isYes: step == 0)
      case 2, 3:
        let record = try await place.decide(subject, Example.documentID, version: version, agreed: true)
        model.add(record, Self.purposes, isYes: true)
        model.answers.append((subject, record.recordID, version))
      case 4:
        let earlier = try await standing(subject, model, place)
        let record = try await place.decide(subject, Example.documentID, version: version, agreed: false)
        model.answers.append((subject, record.recordID, version))
        let isKept = keeps && earlier.contains { $0.documentVersion < version }
        if !isKept { model.add(record, Self.purposes, isYes: false) }
      case 5:
        model.add(try await place.decide(subject, DecisionWorld.waiting, agreed: true), ["contact"], isYes: true)
      case 6:
        model.add(try await place.decide(subject, DecisionWorld.waiting, agreed: false), ["contact"], isYes: false)
      case 7:
        let tasks = try await world.investigator.sessions.listSigningTasks(
          ListSigningTasksRequest(studyID: World.study)
        ).tasks
        guard let task = tasks.randomElement(using: &generator) else { continue }
        let record = try #require(
          try await world.app.records.getRecord(GetRecordRequest(recordID: task.recordID)).record)
        if try await world.counterSign(record).state == .inForce { model.complete.insert(record.recordID) }
      case 8:
        let wanted = Bool.random(using: &generator) ? ["contact"] : []
        do {
          try await place.withdraw(subject, wanted, by: model.isMerged ? "s1" : subject)
        } catch let status as Status where status.isRefusal(.failedPrecondition, "not_withdrawable") {
          continue
        } catch let status as Status where status.isRefusal(.invalidArgument, "unknown_purpose") {
          continue
        }
        let record = ConsentRecord(subjectID: subject)
        let given = model.decisions.filter { $0.isYes && (model.isMerged || $0.subject == subject) }.map(\.purpose)
        model.add(record, wanted.isEmpty ? Array(Set(given)) : wanted, isYes: false)
      case 9:
        let content = DecisionWorld.content(Self.purposes)
        keeps = Bool.random(using: &generator)
        var next = content
        let notifies = Bool.random(using: &generator)
        next.settings?.reconsent = notifies ? .notify : .noAction
        next.settings?.declineEffect = keeps ? .unspecified : .ends
        try await place.publish(Example.documentID, next)
        version += 1
        if notifies { model.notices.insert(version) }
      case 10:
        guard !model.isMerged else { continue }
        try await world.merge("s2", into: "s1")
        model.isMerged = true
      case 11:
        let start = try await world.app.sessions.startSession(
          StartSessionRequest(flowID: "flow", subjectID: subject, clientSchema: 2))
        let answer = try await world.app.sessions.getOfflineBundle(
          GetOfflineBundleRequest(sessionID: start.session?.sessionID ?? "", clientSchema: 2))
        bundles.append((try #require(answer.bundle), subject, model.step))
      case 12:
        let isWanted = Bool.random(using: &generator)
        let record = try await place.decide(subject, DecisionWorld.choosing, agreed: true, contact: isWanted)
        model.add(record, ["research"], isYes: true)
        model.add(record, ["contact"], isYes: isWanted)
      case 13:
        // A device may act for a person who is known here; a guardian may from the time on that staff says so.
        guard model.decisions.contains(where: { $0.subject == subject }) else { continue }
        try await place.setGuardian("gina", of: subject)
        let isAllowed = Bool.random(using: &generator)
        let record = try await place.decideForm(subject, allowed: isAllowed, guardian: "gina")
        model.add(record, ["contact"], isYes: isAllowed)
      case 14:
        guard model.decisions.contains(where: { $0.isYes && $0.subject == subject && $0.purpose == "contact" }) else {
          continue
        }
        try await place.setGuardian("gina", of: subject)
        try await place.withdraw(subject, ["contact"], by: "gina")
        model.add(ConsentRecord(subjectID: subject), ["contact"], isYes: false)
      case 15:
        // Nothing more is decided by somebody whose data were erased: the story ends.
        guard generator.next() % 3 == 0, model.decisions.contains(where: { $0.subject == subject }) else { continue }
        let erased = model.isMerged ? "s1" : subject
        _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: erased, reason: "asked for"))
        model.isErased = model.isMerged ? Set(Self.subjects) : [subject]
      case 16:
        let reader = model.isMerged ? "s1" : subject
        let record = try await place.records(subject, to: reader).randomElement(using: &generator)
        guard let record, record.state != .voided else { continue }
        try await place.void(record)
        model.void(record.recordID)
      default:
        guard let walk = bundles.popLast() else { continue }
        let answer = try await world.submit(walk.bundle, walk.bundle.walked())
        let record = try await world.record(of: try #require(answer.session))
        model.add(record, Self.purposes, isYes: true, begun: walk.begun)
        model.answers.append((walk.subject, record.recordID, record.documentVersion))
        if record.state == .needsAttention { model.complete.remove(record.recordID) }
      }
      for subject in Self.subjects {
        for purpose in Self.purposes {
          try await place.expect(
            purpose, of: subject, permittedBy: model.answer(subject, purpose), story,
            to: model.isMerged ? "s1" : subject)
        }
      }
      try await place.expectDue(model.due(Self.subjects, Self.purposes), story)
      for version in 1...version { try await place.expectCounts(ofVersion: version, story) }
      guard model.isErased.isEmpty else { return }
    }
  }

  /// The person's consents to the document that stand.
  private func standing(
    _ subject: String, _ model: DecisionModel, _ place: DecisionWorld
  ) async throws -> [ConsentRecord] {
    var found: [ConsentRecord] = []
    for name in model.isMerged ? Self.subjects : [subject] {
      found += try await place.records(name, to: model.isMerged ? "s1" : name).filter {
        $0.documentID == Example.documentID && [.inForce, .awaitingSignatures, .needsAttention].contains($0.state)
      }
    }
    return found
  }
}
