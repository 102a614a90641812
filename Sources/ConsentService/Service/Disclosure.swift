internal import Bus
internal import ConsentContract
internal import Storage

/// What staff read of what is personal, in one call.
struct Readings {
  fileprivate var events: [ConsentEvent] = []

  /// Notes that something personal of a record was read, when somebody reads it who works in the study.
  mutating func note(_ record: ConsentRecord, by caller: Caller) {
    guard caller.isStaff(study: record.studyID, site: record.siteID, subject: record.subjectID) else { return }
    events.append(
      ConsentEvent(
        kind: .personalDataRead, studyID: record.studyID, siteID: record.siteID, subjectID: record.subjectID,
        recordID: record.id))
  }

  mutating func note(_ session: StoredSession, by caller: Caller) {
    guard caller.isStaff(study: session.studyID, site: session.siteID, subject: session.subjectID) else { return }
    events.append(ConsentHandlers.event(.personalDataRead, session))
  }
}

extension ConsentHandlers {
  /// Reads what may be personal. When staff reads, that is on record before the answer goes out; others only read.
  func disclose<Answer: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Snapshot, Caller, inout Readings) throws -> Answer
  ) async throws -> Answer {
    do {
      let caller = try Caller(context.identity)
      let scope = database.scope(caller.tenant)
      let (answer, readings) = try await scope.read(within: context.remaining) { snapshot in
        var readings = Readings()
        return (try body(snapshot, caller, &readings), readings)
      }
      if !readings.events.isEmpty {
        try await scope.write(within: context.remaining) { transaction in
          for event in readings.events { try transaction.note(event, by: caller) }
        }
      }
      return answer
    } catch {
      throw Failure.status(error)
    }
  }

  /// The record with the names and reasons that the vault holds.
  func opened(
    _ record: ConsentRecord, _ snapshot: Snapshot, _ caller: Caller, _ readings: inout Readings
  ) throws -> ConsentRecord {
    var record = record
    let secrets = try RecordStore.secrets(record.id, of: record.subjectID, snapshot)
    for index in record.signatures.indices {
      let name = secrets.signatures.first { $0.signatureID == record.signatures[index].signatureID }?.printedName
      record.signatures[index].printedName = name ?? ""
    }
    for index in record.history.indices {
      record.history[index].reason =
        secrets.reasons.first { $0.sequence == record.history[index].sequence }?.reason ?? ""
    }
    readings.note(record, by: caller)
    return record
  }
}
