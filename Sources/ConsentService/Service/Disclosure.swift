internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

extension Disclosure {
  /// Notes that personal data of a record were read.
  mutating func note(_ record: ConsentRecord, for purpose: String = "record") {
    let touched = AccessTarget.person(record.subjectID, in: record.studyID, site: record.siteID)
    note("record/\(record.recordID)", of: touched, for: purpose)
  }

  mutating func note(_ session: StoredSession, for purpose: String = "session") {
    let touched = AccessTarget.person(session.subjectID, in: session.studyID, site: session.siteID)
    note("session/\(session.id)", of: touched, for: purpose)
  }
}

extension ConsentRecord {
  /// The record with its personal data from the vault; notes that they were read.
  func opened(
    _ snapshot: Snapshot, _ disclosure: inout Disclosure, for purpose: String = "record"
  ) throws -> ConsentRecord {
    var record = self
    let secrets = try RecordStore.secrets(recordID, of: subjectID, snapshot)
    for index in record.signatures.indices {
      record.signatures[index].open(secrets)
    }
    for index in record.history.indices {
      let secret = secrets.reasons.first { $0.sequence == record.history[index].sequence }
      record.history[index].reason = secret?.reason ?? ""
    }
    record.attempts = secrets.attempts
    record.attestedBy = secrets.attestedBy
    record.majorityMonth = secrets.majorityStated ? secrets.majorityMonth : ""
    disclosure.note(record, for: purpose)
    return try record.withCopies(snapshot)
  }

  /// The record in the state that it has now, by the word that every other view has for it: erased with its subject, or
  /// over because time passed, whether or not that is on record yet.
  func asOfNow(_ snapshot: Snapshot) throws -> ConsentRecord {
    var record = self
    let isErased = try snapshot.vault.isErased(try Subject.stored(subjectID))
    record.state = isErased ? .erased : try DocumentStore.standing(self, snapshot).state(at: snapshot.now)
    return record
  }

  /// The record with the attempts at the questions. These are in the vault, so that an erasure also removes how often
  /// the person failed.
  func withAttempts(_ snapshot: Snapshot) throws -> ConsentRecord {
    // Forms and consents on paper ask no questions.
    guard kind == .document else { return self }
    var record = self
    record.attempts = try RecordStore.secrets(recordID, of: subjectID, snapshot).attempts
    return record
  }

  /// The same for responses to calls that must succeed even if the attempts in the vault are damaged: then the record
  /// has none, and reading the record says why.
  func withAttemptsAsFarAsKnown(_ snapshot: Snapshot) throws -> ConsentRecord {
    do {
      return try withAttempts(snapshot)
    } catch let error as DatabaseError where error.isDamage {
      return self
    }
  }
}
