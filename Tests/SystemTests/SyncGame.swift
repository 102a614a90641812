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

    /// The name of the field that it makes.
    var field: String? { if case .field(let name) = work { name } else { nil } }
    var isOfProfile: Bool { if case .profile = work { true } else { false } }
  }

  /// How a sync is disturbed, after it has brought so many messages.
  enum Disturbance {
    case connectionIsLost(after: Int)
    /// All goes up, and the device hears nothing of it.
    case answerIsLost
    case processIsKilled(SyncFleet.Role, after: Int)
    case processIsKilledMeanwhile(SyncFleet.Role, milliseconds: Int)
  }

  /// A person at a device.
  struct Place: Hashable {
    let person: String
    let device: String
  }

  /// What may happen: as often as it stands in `moves`.
  enum Move { case workOffline, workOnline, sync, signIn, signOut, visit, lock, remove, wipe, merge }

  private static let moves =
    Array(repeating: Move.workOffline, count: 5) + Array(repeating: Move.sync, count: 7)
    + [.signIn, .signIn, .signOut, .workOnline, .visit, .lock, .remove, .wipe, .merge]

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
  var everybody: [String] = []
  /// Of each account, the records of its consents on paper: one for each document of the study.
  var records: [String: [String]] = [:]
  /// The accounts that were merged, each with the one that it was merged into.
  var merged: [String: String] = [:]
  // What the devices have.
  var queues: [String: [Waiting]] = [:]
  var grants: [Place: String] = [:]
  var copies: [Place: SyncCopy] = [:]
  var made = 0
  /// How many answers the devices did not hear.
  var lost = 0
  /// How often each kind of move was made, and how long they took together.
  private var taken: [String: (count: Int, time: Duration)] = [:]
  // What must be there at the end, since a device was told so, by account.
  var fields: [String: [String]] = [:]
  var withdrawn: [String: Int] = [:]
  var revisions: [String: [Int64]] = [:]
  var kept: [String: Set<String>] = [:]
  /// Fields of which nobody knows whether they were made, by the items that would have made them.
  var doubtful: [String: String] = [:]
  /// The records of visits that came up whole.
  var visits: [String: [String]] = [:]
  /// Whose record of a visit it will be.
  var visitors: [String: String] = [:]
  /// The records of visits that waited while an account of their person was merged, and of those of them of which
  /// something was not done.
  var disturbed: Set<String> = []
  var broken: Set<String> = []

  /// - Parameter tenant: nobody has made anything under it.
  init(fleet: SyncFleet, channel: BusChannel, tenant: String, seed: UInt64) {
    self.fleet = fleet
    people = SyncPeople(channel: channel, tenant: tenant)
    visited = VisitedStudy(channel: channel, tenant: tenant)
    study = PaperStudy(channel: channel, documents: ["first", "second", "third"], tenant: tenant)
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

  /// Somebody new, with consents on paper and a field: something that ConsentService and SignatureService each keep of
  /// every account.
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
    let (request, name) = newField(of: person)
    try await people.makeField(request, of: person, at: home)
    fields[person] = [name]
  }

  // MARK: Moves

  /// Begins, and makes so many moves. Everything is compared after each fifty.
  mutating func play(moves: Int) async throws {
    try await timed("open") { try await $0.open() }
    for number in 1...moves {
      let move = Self.moves.randomElement(using: &generator) ?? .sync
      try await timed("\(move)") { try await $0.make(move) }
      if number.isMultiple(of: 50) { try await timed("compareAll") { try await $0.compareAll() } }
    }
  }

  private mutating func timed(_ what: String, _ work: (inout SyncGame) async throws -> Void) async throws {
    let start = Clock.system.monotonic
    try await work(&self)
    let (count, time) = taken[what] ?? (0, .zero)
    taken[what] = (count + 1, time + (Clock.system.monotonic - start))
  }

  /// What was played, and what it took.
  var story: String {
    let kinds = taken.sorted { $0.value.time > $1.value.time }.map { kind, all in
      "\(kind) \(all.count) × \((all.time / all.count).wholeMilliseconds) ms"
    }
    return "\(lost) answers were lost; \(kinds.joined(separator: ", "))"
  }

  private mutating func make(_ move: Move) async throws {
    let person = names.randomElement(using: &generator) ?? ""
    let place = Place(person: person, device: homes[person]?.randomElement(using: &generator) ?? "")
    switch move {
    case .workOffline: workOffline(at: account(at: place))
    case .workOnline:
      // A process may be killed meanwhile.
      let (request, name) = newField(of: person)
      try await perhapsKillSoon()
      try await people.makeField(request, of: person, at: place.device)
      fields[person, default: []].append(name)
    case .sync: try await sync(at: place, disturbance())
    case .signIn: grants[place] = try await people.signIn(person, device: place.device)
    case .signOut: try await people.signOutEverywhere(person, device: place.device)
    case .visit: try await visit(at: place)
    case .lock: try await lockMeanwhile(person, at: place)
    case .remove: try await removeMeanwhile(at: place)
    case .wipe: try await wipe(place.device)
    case .merge: try await merge()
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
}
