import Base
import CommonContract
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing
import Wire

/// What nobody changes alone in a study that asks for a second person, and what events say of changes.
@Suite("Changes of a study by two", .timeLimit(.minutes(2))) struct StudyGuardTests {
  private func verifier(_ number: UInt8, _ id: String = "account") throws -> AuthenticationVerifier {
    let key = try #require(SigningKey(seed: [UInt8](repeating: number, count: 32)))
    return AuthenticationVerifier(verifierID: id, publicKey: key.verifyingKey.bytes)
  }

  /// A study with a verifier, as the server has made it.
  private func open(
    secondPerson: Bool = true, change: (inout ConsentStudy) -> Void = { _ in }
  ) async throws -> (world: World, study: ConsentStudy) {
    let world = try await World()
    var study = ConsentStudy(
      studyID: World.study, name: "Heart", secondPerson: secondPerson, verifiers: [try verifier(1)])
    change(&study)
    let made = try await world.admin.studies.createStudy(CreateStudyRequest(study: study)).study
    return (world, try #require(made))
  }

  private func update(_ world: World, by name: String, _ study: ConsentStudy) async throws -> ConsentStudy {
    let clients = world.client(name, ["admin@heart"])
    return try #require(try await clients.studies.updateStudy(UpdateStudyRequest(study: study)).study)
  }

  private func with(_ verifiers: [AuthenticationVerifier], in study: ConsentStudy) -> ConsentStudy {
    var study = study
    (study.verifiers, study.pendingChange) = (verifiers, nil)
    return study
  }

  @Test("a verifier's other key waits for a second person, who sends the same; events name who, what and the keys")
  func otherKey() async throws {
    let (world, study) = try await open()
    let (second, third) = (try verifier(2), try verifier(3))
    var wanted = with([second], in: study)
    wanted.name = "Heart and lung"
    let asked = try await update(world, by: "amy", wanted)
    #expect(asked.verifiers == study.verifiers && asked.name == "Heart and lung")
    #expect(asked.pendingChange?.askedBy == "amy" && asked.pendingChange?.fields == ["verifiers"])
    #expect(asked.pendingChange?.verifiers == [second] && asked.pendingChange?.askedAt != nil)
    #expect(try await update(world, by: "amy", wanted) == asked, "nobody approves what one asks for")
    // Another key is another question.
    wanted.verifiers = [third]
    let other = try await update(world, by: "abe", wanted)
    #expect(other.pendingChange?.askedBy == "abe" && other.verifiers == study.verifiers)
    let stored = try await world.admin.studies.getStudy(GetStudyRequest(studyID: World.study)).study
    #expect(stored == other)
    #expect(try await update(world, by: "amy", wanted) == wanted)

    let keys = try [1, 2, 3].map { Base64.encode(try verifier($0).publicKey) }
    let events = try await world.events()
    let changes = events.filter { $0.kind == .studyChanged }
    #expect(changes.map(\.actor) == ["admin", "amy", "abe", "amy"])
    let notes = [
      "study_id, name, second_person, default_locale, verifiers; verifier account added: \(keys[0])",
      "name, pending_change", "pending_change", "verifiers, pending_change; verifier account replaced: \(keys[2])",
    ]
    #expect(changes.map(\.note) == notes)
    let requests = events.filter { $0.kind == .approvalRequested }
    #expect(requests.map(\.actor) == ["amy", "abe"])
    #expect(requests.map(\.note) == keys.dropFirst().map { "verifiers; verifier account replaced: \($0)" })

    let inspector = world.client("ian", ["inspector@heart"]).records
    let trail = try await inspector.listTrail(ListTrailRequest(studyID: World.study, kinds: [.changed])).entries
    let told = trail.map(\.purpose).filter { $0.hasPrefix("study_changed") }
    #expect(told == notes.map { "study_changed: \($0)" })
    #expect(trail.contains { $0.purpose == "approval_requested: \(requests[0].note)" && $0.actor == "amy" })
    await world.end()
  }

  @Test("each change that weakens proof or shortens retention waits for the second person, and none that undoes it")
  func weakened() async throws {
    let (world, study) = try await open {
      $0.authenticationMaxAge = ProtobufDuration(.seconds(60))
      $0.deviceTimeNeedsAttention = true
      $0.retentionDays = 100
    }
    let more = try verifier(4, "idp")
    let changes: [(fields: [String], make: (inout ConsentStudy) -> Void)] = [
      (["verifiers"], { $0.verifiers.append(more) }),
      (["authentication_max_age"], { $0.authenticationMaxAge = ProtobufDuration(.seconds(61)) }),
      // Without one, five minutes count.
      (["authentication_max_age"], { $0.authenticationMaxAge = nil }),
      (["device_time_needs_attention"], { $0.deviceTimeNeedsAttention = false }),
      (["retention_days"], { $0.retentionDays = 99 }),
      (["second_person", "retention_days"], { ($0.secondPerson, $0.retentionDays) = (false, 1) }),
    ]
    for (fields, make) in changes {
      var wanted = study
      make(&wanted)
      var asked = try await update(world, by: "amy", wanted)
      #expect(asked.pendingChange?.fields == fields)
      asked.pendingChange = nil
      #expect(asked == study, "\(fields)")
      // Somebody who sends the study without the change takes it back: the same request is the first one again.
      #expect(try await update(world, by: "abe", study) == study)
      #expect(try await update(world, by: "abe", wanted).pendingChange?.askedBy == "abe")
      #expect(try await update(world, by: "amy", wanted) == wanted)
      #expect(try await update(world, by: "amy", study) == study, "\(fields): one person is enough to undo it")
    }
    await world.end()
  }

  @Test("one person removes a verifier whose key was stolen, and keeps data longer")
  func strengthened() async throws {
    let (world, study) = try await open { $0.retentionDays = 10 }
    var wanted = with([], in: study)
    wanted.retentionDays = 0
    #expect(try await update(world, by: "amy", wanted) == wanted)
    let note = try await world.events().last { $0.kind == .studyChanged }?.note
    let key = Base64.encode(try verifier(1).publicKey)
    #expect(note == "retention_days, verifiers; verifier account removed: \(key)")
    wanted.retentionDays = 36_500
    let asked = try await update(world, by: "amy", wanted)
    #expect(asked.retentionDays == 0 && asked.pendingChange?.retentionDays == 36_500, "0 is for ever")
    await world.end()
  }

  @Test("neither a program nor another account of the one who asked is the second person for a verifier")
  func notTwo() async throws {
    let (world, study) = try await open()
    let wanted = with([try verifier(2)], in: study)
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await update(world, by: "key:0123456789abcdef", wanted)
    }
    _ = try await update(world, by: "amy-old", wanted)
    await expectRefusal(.failedPrecondition, "person_needed") {
      try await update(world, by: "key:0123456789abcdef", wanted)
    }
    try await world.merge("amy-old", into: "amy")
    let asked = try await update(world, by: "amy", wanted)
    #expect(asked.verifiers == study.verifiers && asked.pendingChange?.askedBy == "amy-old")
    #expect(try await update(world, by: "abe", wanted) == wanted)
    await world.end()
  }

  @Test("where a study asks for no second person, one changes everything, and the event says what")
  func alone() async throws {
    let (world, study) = try await open(secondPerson: false)
    let second = try verifier(2)
    let wanted = with([second], in: study)
    #expect(try await update(world, by: "amy", wanted) == wanted)
    _ = try await world.admin.studies.createSite(
      CreateSiteRequest(site: StudySite(studyID: World.study, siteID: "north", name: "North")))
    _ = try await world.admin.studies.updateSite(
      UpdateSiteRequest(site: StudySite(studyID: World.study, siteID: "north", name: "Far north")))
    let notes = try await world.events().filter { $0.kind == .studyChanged }.map(\.note)
    let key = Base64.encode(second.publicKey)
    #expect(notes.dropFirst() == ["verifiers; verifier account replaced: \(key)", "site_id, name", "name"])
    await world.end()
  }
}
