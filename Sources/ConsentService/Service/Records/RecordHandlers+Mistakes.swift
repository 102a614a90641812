internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Mistakes that staff puts right on record: a record that was entered in error, and a name that was written wrong.
/// What was on record before can still be read.
extension RecordHandlers {
  /// Voids a record when a second person asks for it. The first one's request is on record until then.
  func voidRecord(_ request: VoidRecordRequest, context: CallContext) async throws -> VoidRecordResponse {
    try await data.once(request, context, of: Self.head(request.recordID)) { transaction, caller, _ in
      try Refusal.requireReason(request.reason, for: "whoever voids a record says why")
      var record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireOtherPerson(than: record.subjectID, field: "record_id", transaction)
      try Self.requireNotVoided(record)
      let known = record.history.count
      let entry = try RecordFiling.entry(nil, request.reason, transaction, caller)
      let person = try Approver(caller, field: "record_id", transaction)
      if record.voidRequestedBy.isEmpty {
        record.append(entry.of(.voidRequested))
        try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      } else if !person.asked(as: record.voidRequestedBy) {
        record.append(entry.of(.voided))
        try DecisionStore.void(record, by: caller.actor, transaction)
        try RecordFiling.update(record, known: known, transaction, by: caller.actor)
        try Settlement.reinstate(after: record, transaction, caller)
      }
      transaction.concern(try Subject.stored(record.subjectID))
      return VoidRecordResponse(record: try record.withCopies(transaction).withAttempts(transaction))
    }
  }

  /// Ends the request to void a record. Whoever asked for it may take it back.
  func refuseVoiding(_ request: RefuseVoidingRequest, context: CallContext) async throws -> RefuseVoidingResponse {
    try await data.once(request, context, of: Self.head(request.recordID)) { transaction, caller, _ in
      try Refusal.requireReason(request.reason, for: "whoever refuses to void a record says why")
      var record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireOtherPerson(than: record.subjectID, field: "record_id", transaction)
      _ = try Approver(caller, field: "record_id", transaction)
      guard !record.voidRequestedBy.isEmpty else {
        let message = "nobody has asked that record '\(record.recordID)' be voided"
        throw Refusal(.precondition, "no_voiding_requested", field: "record_id", message)
      }
      let known = record.history.count
      record.append(try RecordFiling.entry(nil, request.reason, transaction, caller).of(.voidRefused))
      try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      transaction.concern(try Subject.stored(record.subjectID))
      return RefuseVoidingResponse(record: try record.withCopies(transaction).withAttempts(transaction))
    }
  }

  func correctPrintedName(
    _ request: CorrectPrintedNameRequest, context: CallContext
  ) async throws -> CorrectPrintedNameResponse {
    try await data.once(request, context, of: Self.head(request.recordID)) { [randomness] transaction, caller, _ in
      try Refusal.requireReason(request.reason, for: "a correction says why")
      var record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireOtherPerson(than: record.subjectID, field: "record_id", transaction)
      try Self.requireNotVoided(record)
      guard let place = record.signatures.firstIndex(where: { $0.signatureID == request.signatureID }) else {
        throw Refusal.notFound("signature", request.signatureID, field: "signature_id")
      }
      guard !record.signatures[place].nameCommitment.isEmpty else {
        let message =
          "signature '\(request.signatureID)' of record '\(record.recordID)' was given without a printed name"
        throw Refusal(.precondition, "no_printed_name", field: "signature_id", message)
      }
      let name = PrintedName.of(try SigningRules.name(request.name), locale: LocaleTag(record.locale) ?? .english)
      let known = record.history.count
      var secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, transaction)
      let salt = randomness.bytes(32)
      secrets.change(request.signatureID) { $0.corrections.append(CorrectedName(printedName: name, nameSalt: salt)) }
      try RecordStore.saveSecrets(secrets, of: record, transaction)
      let commitment = RecordMaker.commitment("printed-name", name, salt: salt)
      record.signatures[place].corrections.append(NameCorrection(nameCommitment: commitment.hex))
      var entry = try RecordFiling.entry(nil, request.reason, transaction, caller).of(.nameCorrected)
      entry.signatureID = request.signatureID
      record.append(entry)
      try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      try CopyFiling.renew(record, correcting: request.signatureID, transaction)
      return CorrectPrintedNameResponse(record: try record.withCopies(transaction).withAttempts(transaction))
    }
  }

  private static func requireNotVoided(_ record: ConsentRecord) throws(Refusal) {
    guard record.state == .voided else { return }
    throw Refusal(.precondition, "voided", field: "record_id", "record '\(record.recordID)' was voided before")
  }
}
