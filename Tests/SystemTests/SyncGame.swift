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
  let study: PaperStudy
  var homes: [String: [String]] = [:]
  /// All accounts there ever were, the oldest first.
  private(set) var everybody: [String] = []
  /// Of each account, the records of its consents on paper: one for each document of the study.
  private(set) var records: [String: [String]] = [:]
  /// The accounts that were merged, each with the one that it was merged into.
  var merged: [String: String] = [:]
  // What the devices have.
  var queues: [String: [Waiting]] = [:]
  var grants: [Place: String] = [:]
  var copies: [Place: SyncCopy] = [:]
  var made = 0
  private var replacing: Task<Void, any Error>?
  // What must be there at the end, since a device was told so, by account.
  private var fields: [String: [String]] = [:]
  private var withdrawn: [String: Int] = [:]
  private var revisions: [String: [Int64]] = [:]
  private var kept: [String: Set<String>] = [:]
  /// Fields of which nobody knows whether they were made, by the items that would have made them.
  private var doubtful: [String: String] = [:]
  /// The records of visits that came up whole.
  private var visits: [String: [String]] = [:]
  /// Whose record of a visit it will be.
  var visitors: [String: String] = [:]
  /// The records of visits that waited while an account of their person was merged, and of those of them of which
  /// something was not done.
  var disturbed: Set<String> = []
  private var broken: Set<String> = []

  init(fleet: SyncFleet, channel: BusChannel, seed: UInt64) {
    self.fleet = fleet
    people = SyncPeople(channel: channel)
    visited = VisitedStudy(channel: channel)
    study = PaperStudy(channel: channel, documents: ["first", "second", "third"])
    generator = SeededGenerator(seed: seed)
  }

  /// The people, each by the account that they have by now.
  var names: [String] { homes.keys.sorted() }

  // MARK: Beginning

  /// Four people on one, two or three of the devices, each with consents on paper.
  mutating func open() async throws {
    try await people.open(devices: devices)
    try await study.open()
    for number in 0..<4 { try await begin(at: devices[number % devices.count]) }
    try await openVisits()
  }

  /// Somebody new, with consents on paper.
  mutating func begin(at home: String) async throws {
    made += 1
    let person = try await people.onboard("Person \(made)", device: home)
    everybody.append(person)
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

  // MARK: Moves

  mutating func move() async throws {
    let person = names.randomElement(using: &generator) ?? ""
    let place = Place(person: person, device: homes[person]?.randomElement(using: &generator) ?? "")
    switch Int.random(in: 0..<21, using: &generator) {
    case 16: try await visit(at: place)
    case 17: try await lockMeanwhile(person, at: place)
    case 18: try await removeMeanwhile(at: place)
    case 19: try await wipe(place.device)
    case 20: try await merge()
    case 0...4: workOffline(at: account(at: place))
    case 5, 6: grants[place] = try await people.signIn(person, device: place.device)
    case 7: try await people.signOutEverywhere(person, device: place.device)
    case 8:
      // Work with a connection, during which a process may be killed.
      let (request, name) = newField(of: person)
      try await perhapsKillSoon()
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
      let record = knownRecords(at: place).randomElement(using: &generator) ?? ""
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

  mutating func perhapsKillSoon() async throws {
    if Bool.random(using: &generator) { try await killLater(anyRole(), milliseconds: Int.random(in: 0...20)) }
  }

  /// Kills a process, which stays away.
  mutating func kill(_ role: SyncFleet.Role) async throws {
    try await replacing?.value
    try await fleet.kill(role)
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
      // The process is gone before the next message is asked for.
      try await kill(role)
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

  mutating func pull(at place: Place, _ disturbance: Disturbance?) async throws {
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
      let whose = accounts(of: owner(outcome.personID)) + [outcome.personID]
      #expect(whose.contains(where: helped.contains), "nobody can act about \(outcome)")
    }
    for outcome in answer.outcomes {
      // Items of two people may have the same name.
      let isMeant = { (item: QueueItem) in item.itemID == outcome.itemID && item.personID == outcome.personID }
      guard let index = queues[place.device]?.firstIndex(where: { isMeant($0.item) }),
        let waiting = queues[place.device]?[index]
      else {
        Issue.record("an answer to an item that was not sent: \(outcome)")
        continue
      }
      if let person, person != owner(outcome.personID) {
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
    let name = "\(outcome.deviceID)/\(outcome.itemID)"
    switch (outcome.state, work) {
    case (.done, .field(let name)): fields[person, default: []].append(name)
    case (.done, .withdrawal(let record)): withdrawn[record, default: 0] += 1
    case (.done, .visit(let record, let isLast)):
      if isLast { visits[visitors[record] ?? "", default: []].append(record) }
    case (.done, .profile(let revision)): revisions[person, default: []].append(revision)
    // Somebody has changed the profile since, or it is another account's by now.
    case (.conflict, .profile): kept[person, default: []].insert(name)
    case (.conflict, .field(let field)) where merged[person] != nil && outcome.rule == "outcome_unknown":
      kept[person, default: []].insert(name)
      doubtful[name] = field
    case (.conflict, .visit(let record, _)) where disturbed.contains(record),
      (.failed, .visit(let record, _)) where disturbed.contains(record):
      kept[person, default: []].insert(name)
      broken.insert(record)
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
    try await decide(about: [investigator], as: Place(person: investigator, device: devices[0]))
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
    let accounts = accounts(of: person)
    try await hearOfMerges(at: home)
    try await decide(about: accounts, as: home)
    for place in places {
      try await eventually("\(place) and \(home) agree", await differences(place, home)) { $0.isEmpty }
    }
    let copy = try #require(copies[home])
    #expect(copy.fieldNames.sorted() == accounts.flatMap { fields[$0] ?? [] }.sorted(), "each field was made once")
    let changes = revisions[person, default: []].sorted()
    // Each change was made from another revision, and none is missing in between.
    #expect(changes == changes.indices.map { Int64($0) + 1 })
    #expect(copy.profile?.revision == Int64(changes.count) + 1)
    #expect(copy.things.keys.filter { $0.hasPrefix("item/") }.isEmpty)
    try await checkVisits(of: accounts, as: home, copy)
    for document in study.documents.indices {
      try await checkPaper(accounts.compactMap { records[$0]?[document] }, as: home, copy)
    }
  }

  /// Everything that was not done is in the list of a person, who decides about it: whoever does not know whether a
  /// field was made looks, and makes it if it is not there.
  private mutating func decide(about accounts: [String], as place: Place) async throws {
    let failed = try await people.failedItems(of: place.person, at: place.device)
    let names = failed.map { "\($0.deviceID)/\($0.itemID)" }
    #expect(names.sorted() == accounts.flatMap { kept[$0] ?? [] }.sorted())
    if names.contains(where: { doubtful[$0] != nil }) {
      try await SyncPeople.retrying { _ in try await pull(at: place, nil) }
    }
    let there = copies[place]?.fieldNames ?? []
    for (name, item) in zip(names, failed) {
      if let field = doubtful[name] { fields[item.personID, default: []].append(field) }
      if let field = doubtful[name], !there.contains(field) {
        #expect(item.retryable, "\(item)")
        try await people.retry(item, of: place.person, at: place.device)
      } else {
        try await people.discard(item, of: place.person, at: place.device)
      }
    }
  }

  private func checkVisits(of accounts: [String], as home: Place, _ copy: SyncCopy) async throws {
    let whole = accounts.flatMap { visits[$0] ?? [] }
    let begun = visitors.filter { accounts.contains($0.value) }.map(\.key)
    #expect(Set(whole).count == whole.count && Set(begun) == Set(whole).union(broken.filter(begun.contains)))
    for id in whole {
      let record = try await people.record(id, of: home.person, at: home.device)
      let signers = record.signatures.map(\.personID)
      #expect(signers.count == 2 && accounts.contains(signers[0]) && signers[1] == investigator)
      #expect([.inForce, .superseded].contains(record.state) && copy.states[id] == record.state)
      // Under one account, visits follow each other.
      if accounts.count == 1 { #expect((record.state == .inForce) == (id == whole.last)) }
    }
    let standing = begun.count { copy.states[$0] == .inForce }
    #expect(standing == 1 || whole.isEmpty && standing == 0)
  }

  /// - Parameter ids: a person's consents to one document, by their accounts, the oldest first.
  private func checkPaper(_ ids: [String], as home: Place, _ copy: SyncCopy) async throws {
    let isUntouched = ids.allSatisfy { withdrawn[$0, default: 0] == 0 }
    for id in ids {
      let record = try await people.record(id, of: home.person, at: home.device)
      #expect(copy.states[id] == record.state)
      let entries = record.history.filter { $0.kind == .withdrawn }.count
      #expect(entries <= 1, "\(id): saying it again adds nothing")
      if withdrawn[id, default: 0] > 0 { #expect(record.state == .withdrawn || id != ids.last) }
      let isInForce = record.state == .inForce
      // A withdrawal of an earlier consent may have come before or after the newest one.
      if withdrawn[id, default: 0] > 0 || id != ids.last { #expect(!isInForce) }
      if isUntouched, id == ids.last { #expect(isInForce) }
      if ids.count == 1 { #expect(entries == (isInForce ? 0 : 1)) }
    }
  }
}
