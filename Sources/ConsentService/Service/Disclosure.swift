internal import Bus
internal import ConsentContract
internal import Storage

/// What staff reads of personal data in one call.
struct Readings {
  private(set) var events: [ConsentEvent] = []

  /// Records that a person who works in the study read personal data of a record.
  mutating func note(_ record: ConsentRecord, by caller: Caller) {
    guard caller.isStaff(study: record.studyID, site: record.siteID, subject: record.subjectID) else { return }
    events.append(
      ConsentEvent(
        kind: .personalDataRead, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
        recordID: record.recordID))
  }

  mutating func note(_ session: StoredSession, by caller: Caller) {
    guard caller.isStaff(study: session.studyID, site: session.siteID, subject: session.subjectID) else { return }
    events.append(ConsentEvent(.personalDataRead, of: session))
  }
}

extension ConsentRecord {
  /// The record with the names and reasons from the vault.
  func opened(_ snapshot: Snapshot, _ caller: Caller, _ readings: inout Readings) throws -> ConsentRecord {
    var record = self
    let secrets = try RecordStore.secrets(recordID, of: subjectID, snapshot)
    for index in record.signatures.indices {
      let name = secrets.signatures.first { $0.signatureID == record.signatures[index].signatureID }?.printedName
      record.signatures[index].printedName = name ?? ""
    }
    for index in record.history.indices {
      let secret = secrets.reasons.first { $0.sequence == record.history[index].sequence }
      record.history[index].reason = secret?.reason ?? ""
    }
    readings.note(record, by: caller)
    return record
  }

  /// Required for reading a record: the study's readers, and callers that may act for its subject.
  func requireReading(by caller: Caller) throws(Refusal) {
    if caller.has(Role.readers, study: studyID, site: siteID) { return }
    try caller.requireParticipation(of: subjectID, study: studyID, site: siteID)
  }
}
