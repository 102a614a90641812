internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

extension EventType<ConsentEvent> {
  static var consent: EventType<ConsentEvent> {
    EventType("consent", encode: { try $0.encoded() }, decode: { try ConsentEvent(decoding: $0) })
  }
}

extension EventStream {
  /// - Parameter id: empty for events that belong to no study.
  static func study(_ id: String) -> String { "study:\(id)" }

  /// That of the subject whom an event is about, or else of the study.
  static func of(_ event: ConsentEvent) -> String {
    event.subjectID.isEmpty ? study(event.studyID) : subject(event.subjectID)
  }
}

extension ConsentEvent {
  init(_ kind: ConsentEventKind, of session: StoredSession) {
    self.init(
      kind: kind, studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID,
      sessionID: session.id, test: session.isTest, assistedBy: session.assistant)
  }
}

extension Transaction {
  /// Records an event, in the stream of the subject or of the study that it concerns.
  func note(_ event: ConsentEvent, by caller: Caller) throws {
    try note(event, by: caller.actor)
  }

  func note(_ event: ConsentEvent, by actor: String) throws {
    var event = event
    event.actor = actor
    event.at = Timestamp(now)
    if event.takesAnswersBack { signsHead() }
    try append(.consent, event, to: EventStream.of(event))
  }

  /// Records one event for each entry of a record's history after the first `known` ones.
  func noteEntries(of record: ConsentRecord, known: Int = 0, by actor: String) throws {
    var folded = record
    folded.history = []
    folded = folded.refolded()
    for entry in record.history {
      folded.append(entry)
      guard folded.history.count > known else { continue }
      try note(
        ConsentEvent(
          kind: .recordEntry, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
          documentID: record.documentID, version: record.documentVersion, sessionID: record.sessionID,
          recordID: record.recordID, entry: entry.kind, state: folded.state, hash: record.shownHash, test: record.test,
          fileHash: record.fileHash,
          purposes: [.withdrawn, .superseded, .reinstated].contains(entry.kind) ? entry.purposes : []),
        by: actor)
    }
  }
}
