internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// An onboarding as it is stored. The profile of a person who is not listed yet is sealed under a subject of the
/// onboarding's own, which is erased at its end: so a denial leaves no profile behind.
struct StoredOnboarding: Sendable {
  let id: String
  let deviceID: String
  let personID: String
  /// Whether the person has no account yet.
  let isNew: Bool
  var state: OnboardingState
  let sessionID: String
  let expiresAt: Instant

  init(
    id: String, deviceID: String, personID: String, isNew: Bool, state: OnboardingState, sessionID: String,
    expiresAt: Instant
  ) {
    self.id = id
    self.deviceID = deviceID
    self.personID = personID
    self.isNew = isNew
    self.state = state
    self.sessionID = sessionID
    self.expiresAt = expiresAt
  }

  init(_ row: Row) throws {
    id = try row.get("id")
    deviceID = try row.get("device_id")
    personID = try row.get("person_id")
    isNew = try row.get("is_new")
    state = OnboardingState(number: Int32(truncatingIfNeeded: try row.get("state", as: Int64.self)))
    sessionID = try row.get("session_id")
    expiresAt = try row.get("expires_ms")
  }

  var message: Onboarding {
    Onboarding(
      onboardingID: id, personID: personID, state: state, consentSessionID: sessionID, expiresAt: Timestamp(expiresAt))
  }

  /// The vault's subject that has the profile until the person is listed.
  var subject: Subject {
    guard let subject = Subject(ReservedPrefix.onboarding.rawValue + id) else {
      preconditionFailure("an identifier names a subject")
    }
    return subject
  }

  var isOpen: Bool { state == .consent || state == .passcode }

  /// Whether it waits for a consent flow that could not be started.
  var hasNotStarted: Bool { state == .consent && sessionID.isEmpty }
}

enum OnboardingStore {
  private static let columns = "id, device_id, person_id, is_new, state, session_id, expires_ms"
  private static let insert = Statement(
    "onboarding.insert", "INSERT INTO onboardings (tenant, \(columns)) VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?)")
  private static let find = Statement(
    "onboarding.find", "SELECT \(columns) FROM onboardings WHERE tenant = {tenant} AND id = ? AND device_id = ?")
  private static let setState = Statement(
    "onboarding.state", "UPDATE onboardings SET state = ? WHERE tenant = {tenant} AND id = ? AND state = ?")
  private static let setSession = Statement(
    "onboarding.session", "UPDATE onboardings SET session_id = ? WHERE tenant = {tenant} AND id = ? AND session_id = ''"
  )
  private static let due = Statement(
    "onboarding.due",
    "SELECT \(columns) FROM onboardings WHERE tenant = {tenant} AND state IN (1, 2) AND {after expires_ms, id} "
      + "ORDER BY expires_ms, id LIMIT {limit}")
  private static let ofPerson = Statement(
    "onboarding.of-person",
    "SELECT \(columns) FROM onboardings WHERE tenant = {tenant} AND person_id = ? AND state IN (1, 2) ORDER BY id")
  private static let atDevice = Statement(
    "onboarding.at-device",
    "SELECT \(columns) FROM onboardings WHERE tenant = {tenant} AND expires_ms > ? AND device_id = ? "
      + "AND state IN (1, 2) ORDER BY expires_ms, id")

  static let statements = [insert, find, setState, setSession, due, ofPerson, atDevice]

  static func insert(_ onboarding: StoredOnboarding, _ transaction: Transaction) throws {
    try transaction.run(
      insert, onboarding.id, onboarding.deviceID, onboarding.personID, onboarding.isNew,
      Int64(onboarding.state.number), onboarding.sessionID, onboarding.expiresAt)
  }

  static func onboarding(_ id: String, on deviceID: String, _ snapshot: Snapshot) throws -> StoredOnboarding {
    guard let row = try snapshot.first(find, id, deviceID) else { throw Refusal.notFound("onboarding", id) }
    return try StoredOnboarding(row)
  }

  /// Stores the session of the consent flow, unless one is stored already.
  static func setSession(_ sessionID: String, of id: String, _ transaction: Transaction) throws {
    try transaction.run(setSession, sessionID, id)
  }

  /// Ends an onboarding, and erases what was stored for it alone. Throws if somebody else has ended it meanwhile.
  static func end(_ onboarding: inout StoredOnboarding, as state: OnboardingState, _ transaction: Transaction) throws {
    let changed = try transaction.run(
      setState, Int64(state.number), onboarding.id, Int64(onboarding.state.number))
    guard changed == 1 else {
      throw Refusal(
        .aborted, "changed_meanwhile", field: "onboarding_id", "onboarding '\(onboarding.id)' was ended meanwhile")
    }
    onboarding.state = state
    if try transaction.vault.knows(onboarding.subject) {
      try transaction.vault.erase(onboarding.subject, by: "system", reason: "onboarding")
    }
  }

  /// The open onboardings of a person, at whatever device.
  static func open(of personID: String, _ snapshot: Snapshot) throws -> [StoredOnboarding] {
    try snapshot.all(ofPerson, personID).map { try StoredOnboarding($0) }
  }

  /// The open onboardings at a device, of whomever, which have not expired.
  static func open(at deviceID: String, _ snapshot: Snapshot) throws -> [StoredOnboarding] {
    try snapshot.all(atDevice, snapshot.now, deviceID).map { try StoredOnboarding($0) }
  }

  /// The onboarding that a person has begun at a device, and whose consent flow could not be started.
  static func withoutSession(
    of personID: String, on deviceID: String, _ snapshot: Snapshot
  ) throws -> StoredOnboarding? {
    try open(of: personID, snapshot).first { onboarding in
      onboarding.deviceID == deviceID && onboarding.hasNotStarted && snapshot.now < onboarding.expiresAt
    }
  }

  /// Open onboardings, in the order in which they expire.
  static func open(_ page: PageRequest, _ snapshot: Snapshot) throws -> ([StoredOnboarding], String) {
    let page = try snapshot.page(due, at: page)
    return (try page.rows.map { try StoredOnboarding($0) }, page.nextToken)
  }
}
