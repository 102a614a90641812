internal import AccountContract
internal import CommonContract
internal import ServicePolicy
internal import Storage
internal import Wire

extension EventType<AccountEvent> {
  static var account: EventType<AccountEvent> {
    EventType("account", encode: { try $0.encoded() }, decode: { try AccountEvent(decoding: $0) })
  }
}

extension AccountEvent {
  /// An event of the log as the API shows it, with its number; nil for events that only Storage uses.
  init?(_ event: Event) throws {
    if let known = try event.decode(.account) {
      self = known
      sequence = event.sequence
    } else if let access = try event.access() {
      let times = access.count > 1 ? ", \(access.count) times" : ""
      let words = access.purpose.isEmpty ? access.method : "\(access.purpose): \(access.method)"
      self.init(
        sequence: access.sequence, at: Timestamp(event.at),
        kind: access.kind == .denied ? .accessDenied : .personalDataRead, actor: access.actor,
        personID: access.subjectID, deviceID: access.deviceID, note: words + times)
    } else {
      return nil
    }
  }

  /// Whether something was changed, and not only read or tried.
  var isChange: Bool { ![.personalDataRead, .accessDenied].contains(kind) }
}

extension Transaction {
  /// Records an event, in the stream of the person or the device that it concerns.
  func note(
    _ kind: AccountEventKind, by actor: String, person: String = "", device: String = "", session: String = "",
    item: String = "", note: String = ""
  ) throws {
    let event = AccountEvent(
      at: Timestamp(now), kind: kind, actor: actor, personID: person, deviceID: device, sessionID: session, note: note,
      itemID: item)
    let stream = person.isEmpty ? device.isEmpty ? "tenant" : "device:\(device)" : EventStream.subject(person)
    try append(.account, event, to: stream)
  }

  /// Ends a session, with an event, and makes its access tokens void; does nothing when it has ended.
  @discardableResult
  func endSession(_ session: StoredSession, by actor: String, as kind: AccountEventKind = .sessionEnded) throws -> Bool
  {
    guard try SessionStore.end(session.id, self) else { return false }
    try RevocationStore.put(.sessionID(session.id), self)
    try RenewalStore.remove(of: session, self)
    try note(kind, by: actor, person: session.personID, device: session.deviceID, session: session.id)
    return true
  }

  /// Ends all sessions of a person, and makes the person's tokens, upload grants and offline verifiers void. The same
  /// goes for link codes, and for onboardings that one of them began: they would lead to another session.
  func endSessions(of personID: String, by actor: String) throws -> Int {
    try PersonStore.hold(personID, self)
    try CodeStore.useUp(of: personID, self)
    for var onboarding in try OnboardingStore.open(of: personID, self) where !onboarding.isNew {
      try OnboardingStore.end(&onboarding, as: .ended, self)
      try note(
        .onboardingEnded, by: actor, person: personID, device: onboarding.deviceID, note: "the person's sessions ended")
    }
    let sessions = try SessionStore.running(of: personID, self)
    let newest = try SessionStore.newestToken(of: personID, self)
    for session in sessions { try endSession(session, by: actor) }
    try RevocationStore.put(.personID(personID), newest: newest, self)
    try PersonStore.voidGrants(of: personID, newest: newest, self)
    try OfflineVerifierStore.revoke(of: personID, self)
    return sessions.count
  }
}
