import AccountContract
import Base
import Bus
import ConsentContract
import RPC
import SignatureContract
import TestSupport
import Testing
import Wire

/// What the devices of a tenant do, move by move, and what must come of it. A device believes what it is told and
/// nothing else: a part of its queue whose answer was lost is sent again.
struct SyncGame {
  /// A person's work at a device.
  enum Work {
    /// Makes a field of this name.
    case field(String)
    case withdrawal(String)
    /// Changes the profile from this revision.
    case profile(Int64)
    /// A part of a visit; its last one makes the record whole.
    case visit(record: String, isLast: Bool)
  }

  struct Waiting {
    let item: QueueItem
    let work: Work
  }

  /// How a sync is disturbed, after it has brought so many messages.
  enum Disturbance {
    case connectionIsLost(after: Int)
    case processIsKilled(SyncFleet.Role, after: Int)
    case processIsKilledMeanwhile(SyncFleet.Role, milliseconds: Int)
  }

  /// A person at a device.
  struct Place: Hashable {
    let person: String
    let device: String
  }

  let fleet: SyncFleet
  let people: SyncPeople
  var generator: SeededGenerator
  /// Who countersigns every visit, on all devices.
  var investigator = ""
  var devices = ["tablet", "phone", "kiosk"]
  let visited: VisitedStudy
  var homes: [String: [String]] = [:]
  var records: [String: [String]] = [:]
  // What the devices have.
  var queues: [String: [Waiting]] = [:]
  var grants: [Place: String] = [:]
  var copies: [Place: SyncCopy] = [:]
  var made = 0
  private var replacing: Task<Void, any Error>?
  // What must be there at the end, since a device was told so.
  private var fields: [String: [String]] = [:]
  private var withdrawn: [String: Int] = [:]
  private var revisions: [String: [Int64]] = [:]
  private var kept: [String: Set<String>] = [:]
  /// The records of visits that came up whole.
  private var visits: [String: [String]] = [:]
  /// Whose record of a visit it will be.
  var visitors: [String: String] = [:]

  init(fleet: SyncFleet, channel: BusChannel, seed: UInt64) {
    self.fleet = fleet
    people = SyncPeople(channel: channel)
    visited = VisitedStudy(channel: channel)
    generator = SeededGenerator(seed: seed)
  }

  private var names: [String] { homes.keys.sorted() }

  // MARK: Beginning

  /// Four people on one, two or three of the devices, each with consents on paper.
  mutating func open() async throws {
    try await people.open(devices: devices)
    let study = PaperStudy(channel: people.channel, documents: ["first", "second", "third"])
    try await study.open()
    for number in 0..<4 {
      let home = devices[number % devices.count]
      let person = try await people.onboard("Person \(number)", device: home)
      homes[person] = [home]
      for other in devices where other != home && Bool.random(using: &generator) {
        try await people.link(person, of: home, to: other)
        homes[person, default: []].append(other)
      }
      for document in study.documents {
        records[person, default: []].append(
          try await SyncPeople.retrying { try await study.consent(person, to: document, options: $0) })
      }
    }
    try await openVisits()
  }

  // MARK: Moves

  mutating func move() async throws {
    let person = names.randomElement(using: &generator) ?? ""
    let place = Place(person: person, device: homes[person]?.randomElement(using: &generator) ?? "")
    switch Int.random(in: 0..<20, using: &generator) {
    case 16: try await visit(at: place)
    case 17: try await lockMeanwhile(person, at: place)
    case 18: try await removeMeanwhile(at: place)
    case 19: try await wipe(place.device)
    case 0...4: workOffline(at: place)
    case 5, 6: grants[place] = try await people.signIn(person, device: place.device)
    case 7: try await people.signOutEverywhere(person, device: place.device)
    case 8:
      // Work with a connection, during which a process may be killed.
      let (request, name) = newField(of: person)
      if Bool.random(using: &generator) { try await killLater(anyRole(), milliseconds: Int.random(in: 0...20)) }
      try await people.makeField(request, of: person, at: place.device)
      fields[person, default: []].append(name)
    default: try await sync(at: place, disturbance())
    }
  }

  private mutating func workOffline(at place: Place) {
    made += 1
    var item = QueueItem(
      itemID: "i\(made)", personID: place.person, deviceTime: Timestamp(wrongTime()),
      seen: copies[place]?.cursor ?? "")
    let work: Work
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      let record = records[place.person]?.randomElement(using: &generator) ?? ""
      work = .withdrawal(record)
      item.method = "assent.consent.v1.RecordService/WithdrawConsent"
      item.request = encoded(WithdrawConsentRequest(recordID: record))
    case 1, 2:
      let revision = copies[place]?.profile?.revision ?? 1
      work = .profile(revision)
      item.method = "assent.account.v1.PeopleService/UpdateProfile"
      item.request = encoded(
        UpdateProfileRequest(profile: PersonProfile(title: "Person of \(item.itemID)", revision: revision)))
    default:
      let (request, name) = newField(of: place.person)
      work = .field(name)
      item.method = "assent.signature.v1.SignatureService/CreateField"
      item.request = encoded(request)
    }
    queues[place.device, default: []].append(Waiting(item: item, work: work))
  }

  /// A device's clock may be a year off: it orders nothing, and nothing is refused for it.
  private mutating func wrongTime() -> Instant {
    Clock.system.now + .seconds(Int64.random(in: -31_536_000...31_536_000, using: &generator))
  }

  private mutating func newField(of person: String) -> (CreateFieldRequest, name: String) {
    made += 1
    let name = "field \(made) of \(person)"
    return (
      CreateFieldRequest(
        reference: FieldReference(subjectID: person), settings: FieldSettings(header: name)), name
    )
  }

  private func encoded(_ message: some Message) -> [UInt8] { (try? message.encoded()) ?? [] }

  // MARK: Disturbances

  private mutating func anyRole() -> SyncFleet.Role { fleet.roles.randomElement(using: &generator) ?? .account(0) }

  private mutating func disturbance() -> Disturbance? {
    let messages = Int.random(in: 0...2, using: &generator)
    return switch Int.random(in: 0..<5, using: &generator) {
    case 0: .connectionIsLost(after: messages)
    case 1, 2: .processIsKilled(anyRole(), after: messages)
    case 3: .processIsKilledMeanwhile(anyRole(), milliseconds: Int.random(in: 0...60, using: &generator))
    default: nil
    }
  }

  /// Kills a process in some milliseconds, while the next calls are under way. One is away at a time.
  private mutating func killLater(_ role: SyncFleet.Role, milliseconds: Int) async throws {
    try await replacing?.value
    replacing = Task { [fleet] in
      try await Task.sleep(for: .milliseconds(milliseconds))
      try await fleet.replace(role)
    }
  }

  // MARK: Sync

  /// One sync of a device for the person at it, in one call or in two.
  mutating func sync(at place: Place, _ disturbance: Disturbance?) async throws {
    if case .processIsKilledMeanwhile(let role, let milliseconds) = disturbance {
      try await killLater(role, milliseconds: milliseconds)
    }
    guard try await isGoingOn(after: 0, disturbance) else { return }
    do {
      if Bool.random(using: &generator) {
        try await syncInOneCall(at: place, disturbance)
      } else {
        try await push(at: place)
        try await pull(at: place, disturbance)
      }
    } catch let status as Status where isPassing(status) {
      // The device tries again another time.
    }
  }

  private func uploadGrants(at device: String) -> [String] { grants.filter { $0.key.device == device }.map(\.value) }

  /// - Returns: false when the device loses the connection here.
  private mutating func isGoingOn(after count: Int, _ disturbance: Disturbance?) async throws -> Bool {
    switch disturbance {
    case .connectionIsLost(let number) where number == count: return false
    case .processIsKilled(let role, let number) where number == count:
      try await replacing?.value
      // The process is gone before the next message is asked for.
      try await fleet.kill(role)
      replacing = Task { [fleet] in try await fleet.revive(role) }
      return true
    default: return true
    }
  }

  private mutating func syncInOneCall(at place: Place, _ disturbance: Disturbance?) async throws {
    let queue = queues[place.device] ?? []
    let grants = uploadGrants(at: place.device)
    let call = SyncServiceClient(people.person(place.person, at: place.device)).sync(deadline: .seconds(20))
    var rest = queue[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...4, using: &generator))
      rest = rest.dropFirst(part.count)
      try await call.requests.send(
        SyncRequest(
          step: .push(PushQueueRequest(items: part.map(\.item), grants: grants)), queueLength: Int64(queue.count)))
    }
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest(cursor: copies[place]?.cursor ?? ""))))
    call.requests.finish()
    var count = 0
    var fraction = 0.0
    for try await answer in call.responses {
      let progress = answer.progress?.fraction ?? -1
      #expect(progress >= fraction && progress <= 1)
      fraction = progress
      switch answer.step {
      case .pushed(let pushed): settle(pushed, at: place, seenBy: place.person)
      case .pulled(let pulled): take(pulled, at: place)
      case nil: break
      }
      count += 1
      guard try await isGoingOn(after: count, disturbance) else { return call.cancel() }
    }
  }

  private mutating func push(at place: Place) async throws {
    let request = PushQueueRequest(
      items: (queues[place.device] ?? []).map(\.item), grants: uploadGrants(at: place.device))
    let answer = try await SyncServiceClient(people.device(place.device)).pushQueue(request, deadline: .seconds(20))
    settle(answer, at: place, seenBy: nil)
  }

  private mutating func pull(at place: Place, _ disturbance: Disturbance?) async throws {
    var count = 0
    let answers = try SyncServiceClient(people.person(place.person, at: place.device)).pullChanges(
      PullChangesRequest(cursor: copies[place]?.cursor ?? ""), deadline: .seconds(20))
    for try await answer in answers {
      take(answer, at: place)
      count += 1
      guard try await isGoingOn(after: count, disturbance) else { return answers.cancel() }
    }
  }

  private mutating func take(_ answer: PullChangesResponse, at place: Place) {
    let bytes = String(decoding: (try? answer.encoded()) ?? [], as: UTF8.self)
    for other in names where other != place.person {
      #expect(!bytes.contains(other), "\(place.person) is sent something of \(other)")
    }
    copies[place, default: SyncCopy()].take(answer)
  }

  /// What the device has been told of its queue.
  private mutating func settle(_ answer: PushQueueResponse, at place: Place, seenBy person: String?) {
    // Whatever waits for somebody names who, and what helps.
    let helped = answer.blockedBy.filter { $0.step != .unspecified }.compactMap(\.person?.personID)
    for outcome in answer.outcomes where outcome.state == .waiting && Self.needsSomebody(outcome.rule) {
      #expect(helped.contains(outcome.personID), "nobody can act about \(outcome)")
    }
    for outcome in answer.outcomes {
      guard let index = queues[place.device]?.firstIndex(where: { $0.item.itemID == outcome.itemID }),
        let waiting = queues[place.device]?[index], waiting.item.personID == outcome.personID
      else {
        Issue.record("an answer to an item that was not sent: \(outcome)")
        continue
      }
      if let person, person != outcome.personID {
        #expect(outcome.response.isEmpty && outcome.message.isEmpty, "\(person) is shown \(outcome)")
      }
      guard outcome.state != .waiting else { continue }
      queues[place.device]?.remove(at: index)
      note(outcome, waiting.work)
    }
  }

  private static func needsSomebody(_ rule: String) -> Bool {
    rule.hasPrefix("grant_") || ["person_locked", "not_on_device", "waits_for_person"].contains(rule)
  }

  private mutating func note(_ outcome: ItemOutcome, _ work: Work) {
    let person = outcome.personID
    switch (outcome.state, work) {
    case (.done, .field(let name)): fields[person, default: []].append(name)
    case (.done, .withdrawal(let record)): withdrawn[record, default: 0] += 1
    case (.done, .visit(let record, let isLast)):
      if isLast { visits[visitors[record] ?? "", default: []].append(record) }
    case (.done, .profile(let revision)): revisions[person, default: []].append(revision)
    // Somebody has changed the profile since.
    case (.conflict, .profile):
      kept[person, default: []].insert("\(outcome.deviceID)/\(outcome.itemID)")
    default: Issue.record("\(work) has come to \(outcome)")
    }
  }

  // MARK: The end

  /// Everybody signs in everywhere, everything goes up and down, and is compared with what the devices were told.
  mutating func finish() async throws {
    try await replacing?.value
    for device in devices {
      grants[Place(person: investigator, device: device)] = try await people.signIn(investigator, device: device)
    }
    for (person, devices) in homes {
      for device in devices {
        grants[Place(person: person, device: device)] = try await people.signIn(person, device: device)
      }
    }
    for device in devices {
      let person = try #require(names.first { homes[$0]?.contains(device) == true })
      try await eventually("everything of \(device) goes up", await isUp(at: Place(person: person, device: device)))
    }
    for person in names { try await check(person) }
  }

  private mutating func isUp(at place: Place) async throws -> Bool {
    try await sync(at: place, nil)
    return queues[place.device, default: []].isEmpty
  }

  /// What a service does on its own, such as a try to seal a copy, may come between two pulls.
  ///
  /// - Returns: what they have differently.
  private mutating func differences(_ place: Place, _ home: Place) async throws -> [String] {
    for each in [place, home] { try await SyncPeople.retrying { _ in try await pull(at: each, nil) } }
    return copies[place]?.differences(to: copies[home] ?? SyncCopy()) ?? []
  }

  private mutating func check(_ person: String) async throws {
    let places = homes[person, default: []].map { Place(person: person, device: $0) }
    let home = try #require(places.first)
    let failed = try await people.failedItems(of: person, at: home.device)
    #expect(Set(failed.map { "\($0.deviceID)/\($0.itemID)" }) == kept[person, default: []])
    for item in failed { try await people.discard(item, of: person, at: home.device) }
    for place in places {
      try await eventually("\(place) and \(home) agree", await differences(place, home)) { $0.isEmpty }
    }
    let copy = try #require(copies[home])
    #expect(copy.fieldNames.sorted() == fields[person, default: []].sorted(), "each field was made once")
    let changes = revisions[person, default: []].sorted()
    // Each change was made from another revision, and none is missing in between.
    #expect(changes == changes.indices.map { Int64($0) + 1 })
    #expect(copy.profile?.revision == Int64(changes.count) + 1)
    #expect(copy.things.keys.filter { $0.hasPrefix("item/") }.isEmpty)
    for id in visits[person, default: []] {
      let record = try await people.record(id, of: person, at: home.device)
      let state: RecordState = id == visits[person]?.last ? .inForce : .superseded
      #expect(record.state == state && record.signatures.map(\.personID) == [person, investigator])
      #expect(copy.states[id] == state)
    }
    #expect(visits[person, default: []].count == visitors.values.filter { $0 == person }.count)
    for id in records[person, default: []] {
      let record = try await people.record(id, of: person, at: home.device)
      let entries = record.history.filter { $0.kind == .withdrawn }.count
      #expect(entries == min(withdrawn[id, default: 0], 1), "\(id): saying it again adds nothing")
      #expect(record.state == (entries == 0 ? .inForce : .withdrawn))
      #expect(copy.states[id] == record.state)
    }
  }
}
