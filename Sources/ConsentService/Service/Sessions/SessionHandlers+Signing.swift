internal import Base
internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signatures after the end of a session: the task list, and signing.
extension SessionHandlers {
  func listSigningTasks(
    _ request: ListSigningTasksRequest, context: CallContext
  ) async throws -> ListSigningTasksResponse {
    try await data.read(context) { snapshot, caller in
      try caller.requireEntry(to: request.studyID)
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (tasks, next) = try RecordStore.tasks(of: request.studyID, page, snapshot)
      let own = tasks.filter { task in
        let role = Role(task.role)
        return (request.siteID.isEmpty || task.siteID == request.siteID)
          && caller.has(role.map { [$0] } ?? [], study: task.studyID, site: task.siteID)
      }
      return ListSigningTasksResponse(tasks: own, nextPageToken: next)
    }
  }

  func signRecord(_ request: SignRecordRequest, context: CallContext) async throws -> SignRecordResponse {
    // The signature must be the signer's own: the field must have been made for this signer.
    let input = request.signature ?? SignatureInput()
    let strokes = try await proofs.strokes(of: input, subject: context.identity.subject)
    let answer: SignRecordResponse = try await data.once(request, context) { transaction, caller in
      let record = try RecordStore.locked(request.recordID, transaction)
      let version = try DocumentStore.version(record.documentID, record.documentVersion, transaction)
      let settings = version.content?.settings ?? DocumentSettings()
      guard let definition = settings.signature(request.signatureID) else {
        let known = settings.signatures.map(\.id).joined(separator: ", ")
        let message = "signature_id is '\(request.signatureID.prefix(80))'; the document asks for: \(known)"
        throw Refusal(.notFound, "unknown_signature", field: "signature_id", message)
      }
      try caller.require(Role(definition.role).map { [$0] } ?? [], study: record.studyID, site: record.siteID)
      guard version.state != .stopped else {
        let message = "version \(version.version) of '\(record.documentID)' was stopped: nobody signs it"
        throw Refusal(.precondition, "version_stopped", field: "record_id", message)
      }
      try SigningRules.checkDates(settings, at: transaction.now)
      let locale = LocaleTag(record.locale)
      let text = locale.flatMap { version.content?.text(for: $0) } ?? DocumentText()
      var proof = SignatureProof(strokesHash: strokes)
      if definition.requiresReauthentication {
        proof.authentication = try AuthenticationRules(try StudyStore.study(record.studyID, transaction)).verified(
          input.reauthentication, for: record.challenge(to: definition.id), by: .person(caller.actor),
          at: transaction.now)
      }
      let given = GivenSignature(
        documentID: record.documentID, signatureID: definition.id,
        name: definition.requiresName ? try SigningRules.name(request.name) : nil,
        input: try SigningRules.input(input, for: definition, proof: proof),
        signedAt: Timestamp(transaction.now), deviceTime: request.deviceTime,
        strokesHash: proof.strokesHash, authentication: proof.authentication)
      let facts = RecordMaker.SignerFacts(
        locale: locale ?? LocaleTag.english, meaning: text.signature(definition.id).meaning, authority: "",
        signer: caller.actor)
      let (signature, secret) = RecordMaker.signature(given, facts, salts: salts)
      let entry = try RecordFiling.entry(request.deviceTime, "", transaction, caller)
      let signed = try Signing.adding(signature, to: record, settings, entry: entry)
      try RecordStore.save(signed, known: record.history.count, transaction)
      var secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, transaction)
      secrets.signatures.append(secret)
      try RecordStore.saveSecrets(secrets, of: signed, transaction)
      try transaction.noteEntries(of: signed, known: record.history.count, by: caller.actor)
      try RecordStore.replaceTasks(signed, Signing.due(signed, settings), transaction)
      if record.state != .inForce { try RecordFiling.supersede(by: signed, transaction) }
      try RecordFiling.render(signed, transaction)
      return SignRecordResponse(record: signed)
    }
    heads.forget(answer.record.map { [$0] } ?? [], of: context.identity.tenant)
    return answer
  }
}
