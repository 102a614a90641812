import AuthorityKit
import Base
import Bus
import ConsentContract
import RPC
import TestSupport
import Testing

/// Random people, roles, places and calls against the model, while people, devices and guardians come and go.
@Suite("Authority at random", .serialized, .timeLimit(.minutes(150))) struct AuthorityFuzzTests {
  /// A long test takes 100,000 steps: each walk begins in a world of its own, before that is crowded.
  private static let steps = LongTests.areWanted ? 5_000 : 300
  private static let seeds = (1...(LongTests.areWanted ? 20 : 1)).map { UInt64(20_261_122 + $0) }

  @Test("random callers get what the model says and nothing else, at every step", arguments: seeds)
  func random(seed: UInt64) async throws {
    let world = try await AuthorityWorld()
    var walk = RandomWalk(
      world: world, model: Model(rules: try PermissionTable().rules, facts: try #require(world.facts["t1"])),
      seed: seed)
    let steps = Self.steps
    for step in 0..<steps {
      if let difference = try await walk.step() {
        Issue.record("step \(step): \(difference)")
        return
      }
    }
    #expect(
      walk.admitted > steps / 50 && walk.refused > steps / 10, "\(walk.admitted) admitted, \(walk.refused) refused")
    walk.end()
    await world.end()
  }
}

private struct RandomWalk {
  private let world: AuthorityWorld
  private var model: Model
  private var generator: SeededGenerator
  private var targets: [AuthorityWorld.Target]
  private var bus: InProcessBus
  private var channels: [String: ConsentClients] = [:]
  private var newcomers = 0
  private(set) var admitted = 0
  private(set) var refused = 0

  private static let rows = Row.consent
  /// Calls about a person of whom there is a session and no record.
  private static let rowsOfSessions = rows.filter { row in
    ["GetSession", "ActOnSession", "ResumeSession", "GetOfflineBundle", "SubmitOfflineWalk", "ListGuardians"].contains {
      row.method.hasSuffix("/\($0)")
    }
  }

  init(world: AuthorityWorld, model: Model, seed: UInt64) {
    self.world = world
    self.model = model
    generator = SeededGenerator(seed: seed)
    targets = world.targets.filter { $0.tenant == "t1" }
    bus = world.anotherBus()
  }

  func end() { bus.stop() }

  /// One random thing happens; returns how service and model differ, if they do.
  mutating func step() async throws -> String? {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return try await changeGuardian()
    case 1: return try await enrol()
    default: return await call()
    }
  }

  private mutating func call() async -> String? {
    let actor = randomActor()
    let target = pick(targets)
    let row = pick(target.record.isEmpty ? Self.rowsOfSessions : Self.rows)
    let expected = model.may(actor, row.method, row.thing(actor, target))
    let outcome = await WalkTests.outcome(of: row, by: clients(actor), on: target)
    switch outcome {
    case .denied:
      refused += 1
      return expected ? "\(actor.description) was refused \(row.method) on \(target.subject)" : nil
    case .admitted(let answer):
      admitted += 1
      return expected ? nil : "\(actor.description) got \(row.method) on \(target.subject): \(answer)"
    case .failed(let status):
      admitted += 1
      return expected ? nil : "\(actor.description) was let to \(row.method) on \(target.subject): \(status)"
    }
  }

  private mutating func changeGuardian() async throws -> String? {
    let target = pick(targets)
    let guardian = pick(["gil", "gus", "gina", "zoe"])
    let bond = Facts.Bond(who: guardian, subject: target.subject, study: target.study)
    let removed = model.facts.guardians.contains(bond)
    _ = try await clients(Actor(name: "cora", grants: ["coordinator@*"])).studies.setGuardian(
      SetGuardianRequest(
        studyID: target.study, subjectID: target.subject, guardianID: guardian, authority: .appointed,
        removed: removed))
    if removed { model.facts.guardians.remove(bond) } else { model.facts.guardians.insert(bond) }
    return nil
  }

  /// Somebody new comes to a random site with a device or alone; or somebody tries to begin for a person who is known.
  private mutating func enrol() async throws -> String? {
    var target = pick(AuthorityWorld.places.filter { $0.tenant == "t1" })
    let isKnown = chance(1, of: 3)
    let device = pick(["kiosk", "pad-bea", "pad-ben"])
    if isKnown {
      target = pick(targets)
    } else {
      newcomers += 1
      target.subject = "new-\(newcomers)"
    }
    (target.device, target.assistant) = (device, "")
    let bond = Facts.Bond(who: device, subject: target.subject, study: target.study)
    let expected = !isKnown || model.facts.devices.contains(bond)
    let start = StartSessionRequest(
      flowID: target.flow, siteID: target.site, subjectID: target.subject, locale: "en", clientSchema: 2)
    do {
      let session = try await clients(Actor(name: device, kind: .device)).sessions.startSession(start).session
      if !expected { return "\(device) began for \(target.subject)" }
      target.runningSession = session?.sessionID ?? ""
      if isKnown { return nil }
      model.facts.devices.insert(bond)
      model.facts.stays.insert(Facts.Stay(person: target.subject, study: target.study, site: target.site))
      if targets.count < 60 { targets.append(target) }
      return nil
    } catch {
      guard error.code == .permissionDenied else { throw error }
      return expected ? "\(device) could not begin for \(target.subject): \(error)" : nil
    }
  }

  // MARK: Choosing

  private mutating func randomActor() -> Actor {
    let tenant = "t1"
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return Actor(name: "signature", kind: .service, tenant: tenant)
    case 1, 2:
      let places = pick([[], [], ["device@heart"], ["device@heart/north"], ["device@lung"], ["investigator@*"]])
      return Actor(name: pick(["kiosk", "pad-bea", "pad-ben", "bea"]), kind: .device, tenant: tenant, grants: places)
    default:
      let names = ["bea", "ben", "lea", "gil", "gus", "gina", "zoe", "asa", "asb", "kiosk"] + targets.map(\.subject)
      let count = Int.random(in: 0...2, using: &generator)
      return Actor(name: pick(names), tenant: tenant, grants: (0..<count).map { _ in randomGrant() })
    }
  }

  private mutating func randomGrant() -> String {
    let role = pick([
      "witness", "investigator", "coordinator", "inspector", "publisher", "admin", "participant", "guardian",
      "operator",
    ])
    return "\(role)@\(pick(["*", "heart", "lung", "heart/north", "heart/south", "lung/west", "liver"]))"
  }

  private mutating func clients(_ actor: Actor) -> ConsentClients {
    if let known = channels[actor.description] { return known }
    if channels.count >= 40 {
      bus.stop()
      bus = world.anotherBus()
      channels.removeAll()
    }
    let clients = world.clients(actor, on: bus)
    channels[actor.description] = clients
    return clients
  }

  private mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &generator)]
  }
}
