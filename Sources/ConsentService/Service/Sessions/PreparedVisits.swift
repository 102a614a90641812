internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Visits that a device begins without a connection, on what it was given before.
extension PreparedVisit {
  /// What a session stands on that would begin now.
  init(_ session: StoredSession, in snapshot: Snapshot) throws {
    self.init(
      flowVersion: session.flowVersion, documents: session.documents,
      texts: session.state.texts.map { SessionTexts(textsVersion: $0.textsVersion, documents: $0.documents) },
      position: try EventPosition(endOf: snapshot).token, preparedAt: Timestamp(snapshot.now))
  }

  /// When it was prepared: by what the device hands back, but never later than now.
  func time(at now: Instant) -> Instant { min(preparedAt?.clamped ?? now, now) }

  /// The version of a document that it names; 0 if it names none.
  func version(of documentID: String) -> Int32 { documents.first { $0.documentID == documentID }?.version ?? 0 }

  /// The texts that it names, of these documents. Our own words are those of a version that there is.
  func texts(of documents: [FlowDocument], _ snapshot: Snapshot) throws -> SessionTexts {
    let given = texts ?? SessionTexts()
    guard given.textsVersion >= 0, try Int64(given.textsVersion) <= TextsStore.currentVersion(snapshot) else {
      let message = "prepared.texts.texts_version is \(given.textsVersion), which there is not"
      throw Refusal(.invalid, "unknown_texts", field: "prepared.texts", message)
    }
    let locales = try documents.compactMap { document in
      try given.documents.first { $0.documentID == document.documentID }.map {
        let locale = try LocaleTag.checked($0.locale, "prepared.texts.documents").text
        return DocumentLocale(documentID: document.documentID, locale: locale)
      }
    }
    return SessionTexts(textsVersion: given.textsVersion, documents: locales)
  }

  /// The first event that the person could not know of. In a log that was restored since, nothing counts as known.
  func seenBefore(_ snapshot: Snapshot) throws -> Int64 {
    guard let known = try? EventPosition(token: position), try known.isKnown(in: snapshot) else { return 1 }
    return min(known.sequence, try snapshot.lastEvent()) + 1
  }
}

extension SessionStart {
  /// Refuses a version that was replaced or has ended since the visit was prepared, unless a session that had begun
  /// then would still run. A walk on one that was stopped is recorded, and needs attention.
  func checkPrepared(
    _ what: String, _ state: VersionState, endedAt: @autoclosure () throws -> Timestamp?, at now: Instant
  ) throws {
    guard let time = prepared?.time(at: now) else { return }
    if state.wasPublished, let ended = try endedAt()?.clamped, ended >= time, now < expiry(from: time) { return }
    let message = "\(what) is in use no more, and the visit was prepared too long ago for it; begin it anew"
    throw Refusal(.precondition, "preparation_expired", field: "prepared", message)
  }

  /// When a session began, for what it decides: now or, without a connection, when the device says, but not before it
  /// was prepared, nor longer ago than a session may last.
  func begun(_ claimed: DeviceTime?, at now: Instant) -> Instant {
    guard let prepared, let claimed = claimed?.at?.clamped else { return now }
    let earliest = max(prepared.time(at: now), now + (.zero - lifetime))
    return min(max(claimed, earliest), now)
  }

  /// The first event that the person cannot have known of when the session began: any later one, unless it began
  /// without a connection.
  func seenBefore(_ snapshot: Snapshot) throws -> Int64 {
    if let prepared { return try prepared.seenBefore(snapshot) }
    return isQueued ? 1 : try snapshot.lastEvent() + 1
  }
}
