internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

extension Disclosure {
  /// Notes that something personal of a record was read.
  mutating func note(_ record: ConsentRecord) {
    let event = ConsentEvent(
      kind: .personalDataRead, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
      recordID: record.recordID)
    note(event)
  }

  mutating func note(_ session: StoredSession) { note(ConsentEvent(.personalDataRead, of: session)) }

  private mutating func note(_ event: ConsentEvent) {
    let reader = caller
    note(reading: event.subjectID) { try $0.note(event, by: reader) }
  }
}

extension ConsentRecord {
  /// The record with what is personal of it, from the vault.
  func opened(_ snapshot: Snapshot, _ disclosure: inout Disclosure) throws -> ConsentRecord {
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
    (record.attestedBy, record.majorityMonth) = (secrets.attestedBy, secrets.majorityMonth)
    disclosure.note(record)
    return record
  }
}
