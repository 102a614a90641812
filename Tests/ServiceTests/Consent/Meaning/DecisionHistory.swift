import Base
import ConsentContract
import RPC
import TestSupport
import Testing

/// A tenant in which one person after the other decides. They share documents and flows, which are published once, and
/// nothing else.
struct DecisionTenant {
  let place: DecisionWorld
  /// The newest version of the document.
  fileprivate(set) var version: Int32 = 1
  /// Whether declining that version keeps an earlier consent.
  fileprivate(set) var keeps = true
  /// The versions that ask for notice.
  fileprivate(set) var notices: Set<Int32> = []
  /// What is due to those whose histories have ended, by later versions too.
  fileprivate(set) var earlier: [(model: DecisionModel, subjects: [String])] = []

  init(_ place: DecisionWorld) { self.place = place }

  fileprivate mutating func publish(notifies: Bool, keeps: Bool) async throws {
    var next = DecisionWorld.content(DecisionHistory.purposes)
    next.settings?.reconsent = notifies ? .notify : .noAction
    next.settings?.declineEffect = keeps ? .unspecified : .ends
    try await place.publish(Example.documentID, next)
    version += 1
    self.keeps = keeps
    if notifies { notices.insert(version) }
  }
}

/// A random history of one person with two accounts, after each step of which every view says what a model of a few
/// lines says.
struct DecisionHistory {
  static let purposes = ["research", "contact"]
  /// The kinds of steps.
  static let kinds = 19
  private static let steps = 10

  private let place: DecisionWorld
  private let subjects: [String]
  /// Of how many kinds the steps are.
  private let kinds: Int
  /// Whether every view of everything is looked at after each step, and not only what a step may have changed; that is
  /// done at the end anyway.
  private let isWatchedWholly: Bool
  private var views: DecisionViews
  private var generator: SeededGenerator
  private var model = DecisionModel()
  /// The version with which the history began: those before are other people's.
  private let first: Int32
  private var bundles: [(bundle: OfflineBundle, subject: String, begun: Int)] = []
  private(set) var story: String

  private var world: World { place.world }
  private var now: Instant { world.clock.clock.now }

  init(_ seed: UInt64, in tenant: inout DecisionTenant, kinds: Int = kinds, isWatchedWholly: Bool) async throws {
    if !tenant.keeps { try await tenant.publish(notifies: false, keeps: true) }
    place = tenant.place
    first = tenant.version
    subjects = ["s1-\(seed)", "s2-\(seed)"]
    self.kinds = kinds
    self.isWatchedWholly = isWatchedWholly
    views = DecisionViews(of: place)
    generator = SeededGenerator(seed: seed)
    story = "seed \(seed):"
  }

  mutating func run(in tenant: inout DecisionTenant) async throws {
    for _ in 0..<Self.steps where model.isErased.isEmpty {
      model.goOn()
      let subject = subjects.randomElement(using: &generator) ?? ""
      world.clock.move(by: .seconds(Int64.random(in: -90...100, using: &generator)))
      let kind = Int.random(in: 0..<kinds, using: &generator)
      story += " \(kind)\(subject.prefix(2))"
      guard let touched = try await take(kind, subject, &tenant) else { continue }
      try await look(closely: model.isMerged || isWatchedWholly ? Set(subjects) : touched, tenant)
    }
    story += " end"
    views.forget()
    try await look(closely: Set(subjects), tenant)
    tenant.earlier.append((model, subjects))
  }

  private mutating func look(closely: Set<String>, _ tenant: DecisionTenant) async throws {
    if isWatchedWholly { views.forget() }
    let answers = subjects.flatMap { subject in
      Self.purposes.map { purpose in
        DecisionViews.Answer(subject: subject, purpose: purpose, record: model.answer(subject, purpose))
      }
    }
    let staying = model.isMerged ? subjects[0] : nil
    try await views.expect(answers, closely: closely, story) { staying ?? $0 }
    let due = (tenant.earlier + [(model, subjects)]).reduce(into: Set<String>()) { due, one in
      due.formUnion(one.model.due(one.subjects, Self.purposes, notices: tenant.notices))
    }
    try await views.expectDue(due, story)
    let erased = tenant.earlier.reduce(model.isErased) { $0.union($1.model.isErased) }
    for version in first...tenant.version {
      try await views.expectCounts(ofVersion: version, erased: erased, story)
    }
  }

  // MARK: Steps

  /// - Returns: whose decisions the step is about; nil if nothing came of it.
  private mutating func take(
    _ kind: Int, _ subject: String, _ tenant: inout DecisionTenant
  ) async throws -> Set<String>? {
    let owner = model.isMerged ? subjects[0] : subject
    switch kind {
    case 0, 1: add(try await place.decideForm(subject, allowed: kind == 0), ["contact"], isYes: kind == 0)
    case 2, 3:
      let record = try await place.decide(subject, Example.documentID, version: tenant.version, agreed: true)
      add(record, Self.purposes, isYes: true)
      model.answers.append((subject, record.recordID, tenant.version))
    case 4: try await decline(subject, tenant)
    case 5, 6:
      add(try await place.decide(subject, DecisionWorld.waiting, agreed: kind == 5), ["contact"], isYes: kind == 5)
    case 7: return try await countersign()
    case 8: return try await withdraw(subject, by: owner)
    case 9:
      let keeps = Bool.random(using: &generator)
      try await tenant.publish(notifies: Bool.random(using: &generator), keeps: keeps)
      return []
    case 10:
      guard !model.isMerged else { return nil }
      try await world.merge(subjects[1], into: subjects[0])
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
      add(record, ["research"], isYes: true)
      add(record, ["contact"], isYes: isWanted)
    case 13:
      // A device may act for a person who is known here; a guardian may from the time on that staff says so.
      guard model.decisions.contains(where: { $0.subject == subject }) else { return nil }
      try await place.setGuardian("gina", of: subject)
      let isAllowed = Bool.random(using: &generator)
      add(try await place.decideForm(subject, allowed: isAllowed, guardian: "gina"), ["contact"], isYes: isAllowed)
    case 14:
      guard model.decisions.contains(where: { $0.isYes && $0.subject == subject && $0.purpose == "contact" }) else {
        return nil
      }
      try await place.setGuardian("gina", of: subject)
      try await place.withdraw(subject, ["contact"], by: "gina")
      add(ConsentRecord(subjectID: subject), ["contact"], isYes: false)
    case 15:
      // Nothing more is decided by somebody whose data were erased: the history ends.
      guard generator.next() % 3 == 0, model.decisions.contains(where: { $0.subject == subject }) else { return nil }
      _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: owner, reason: "asked for"))
      model.isErased = model.isMerged ? Set(subjects) : [subject]
    case 16:
      let record = try await place.records(subject, to: owner).randomElement(using: &generator)
      guard let record, record.state != .voided else { return nil }
      try await place.void(record)
      model.void(record.recordID)
    case 17: return try await handIn()
    default:
      // Whom staff put on record first, no device may act for.
      guard model.decisions.contains(where: { $0.subject == subject }) else { return nil }
      let signed = now + .seconds(Int64.random(in: -300...0, using: &generator))
      let begun = model.place(of: signed, by: subject)
      let record = try await place.paper(subject, signed: signed, version: tenant.version)
      add(record, Self.purposes, isYes: true, begun: begun)
      model.answers.append((subject, record.recordID, tenant.version))
    }
    return [subject]
  }

  private mutating func add(_ record: ConsentRecord, _ purposes: [String], isYes: Bool, begun: Int? = nil) {
    model.add(record, purposes, isYes: isYes, begun: begun, at: now)
  }

  private mutating func decline(_ subject: String, _ tenant: DecisionTenant) async throws {
    let earlier = try await standing(subject)
    let record = try await place.decide(subject, Example.documentID, version: tenant.version, agreed: false)
    model.answers.append((subject, record.recordID, tenant.version))
    let isKept = tenant.keeps && earlier.contains { $0.documentVersion < tenant.version }
    if !isKept { add(record, Self.purposes, isYes: false) }
  }

  /// The person's consents to the document that stand.
  private func standing(_ subject: String) async throws -> [ConsentRecord] {
    var found: [ConsentRecord] = []
    for name in model.isMerged ? subjects : [subject] {
      found += try await place.records(name, to: model.isMerged ? subjects[0] : name).filter {
        $0.documentID == Example.documentID && [.inForce, .awaitingSignatures, .needsAttention].contains($0.state)
      }
    }
    return found
  }

  private mutating func countersign() async throws -> Set<String>? {
    let tasks = try await world.investigator.sessions.listSigningTasks(
      ListSigningTasksRequest(studyID: World.study, pageSize: 1000)
    ).tasks.filter { subjects.contains($0.subjectID) }
    guard let task = tasks.randomElement(using: &generator) else { return nil }
    let record = try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: task.recordID)).record)
    if try await world.counterSign(record).state == .inForce { model.complete.insert(record.recordID) }
    return [record.subjectID]
  }

  private mutating func withdraw(_ subject: String, by owner: String) async throws -> Set<String>? {
    let wanted = Bool.random(using: &generator) ? ["contact"] : []
    do {
      try await place.withdraw(subject, wanted, by: owner)
    } catch let status as Status where status.isRefusal(.failedPrecondition, "not_withdrawable") {
      return nil
    } catch let status as Status where status.isRefusal(.invalidArgument, "unknown_purpose") {
      return nil
    }
    // Whoever withdraws all says no to all that they were asked when they consented, once more to what they declined.
    let own = model.decisions.filter { model.isMerged || $0.subject == subject }
    let given = Set(own.filter(\.isYes).map(\.record))
    let asked = Set(own.filter { given.contains($0.record) }.map(\.purpose))
    add(ConsentRecord(subjectID: subject), wanted.isEmpty ? asked.sorted() : wanted, isYes: false)
    return [subject]
  }

  private mutating func handIn() async throws -> Set<String>? {
    guard let walk = bundles.popLast() else { return nil }
    let answer = try await world.submit(walk.bundle, walk.bundle.walked())
    let record = try await world.record(of: try #require(answer.session))
    add(record, Self.purposes, isYes: true, begun: walk.begun)
    model.answers.append((walk.subject, record.recordID, record.documentVersion))
    if record.state == .needsAttention { model.complete.remove(record.recordID) }
    return [walk.subject]
  }
}
