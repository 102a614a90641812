internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Signing later: the task list, and the counter-signature.
extension ConsentHandlers {
  package func listSigningTasks(
    _ request: ListSigningTasksRequest, context: CallContext
  ) async throws -> ListSigningTasksResponse {
    try await read(context) { snapshot, caller in
      try caller.requireEntry(to: request.studyID)
      let (cursor, limit) = try page(request.pageToken, request.pageSize)
      let (tasks, next) = try RecordStore.tasks(of: request.studyID, after: cursor, limit: limit, snapshot)
      let own = tasks.filter { task in
        let role = Role(task.role)
        return (request.siteID.isEmpty || task.siteID == request.siteID)
          && caller.has(role.map { [$0] } ?? [], study: task.studyID, site: task.siteID)
      }
      return ListSigningTasksResponse(tasks: own, nextPageToken: next?.text ?? "")
    }
  }

  package func counterSign(_ request: CounterSignRequest, context: CallContext) async throws -> CounterSignResponse {
    // The signature is the signer's own: the field must be one that was made for this signer.
    let input = request.signature ?? SignatureInput()
    let strokes = try await strokes(of: input, subject: context.identity.subject)
    let answer: CounterSignResponse = try await write(request, context) { transaction, caller in
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
      try SigningRules.checkDates(settings, at: transaction.now.millisecondsSince1970)
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
        signedAtMs: transaction.now.millisecondsSince1970, deviceTime: request.deviceTime,
        strokesHash: proof.strokesHash, authentication: proof.authentication)
      let facts = RecordMaker.SignerFacts(
        locale: locale ?? LocaleTag.english, meaning: text.signature(definition.id).meaning, authority: "",
        signer: caller.actor)
      let (signature, secret) = RecordMaker.signature(given, facts, salts: randomness)
      let entry = try Self.entry(request.deviceTime, "", transaction, caller)
      let signed = try Signing.adding(signature, to: record, settings, entry: entry)
      try RecordStore.save(signed, known: record.history.count, transaction)
      var secrets = try RecordStore.secrets(record.id, of: record.subjectID, transaction)
      secrets.signatures.append(secret)
      try RecordStore.saveSecrets(secrets, of: signed, transaction)
      try transaction.noteEntries(of: signed, known: record.history.count, by: caller.actor)
      try RecordStore.replaceTasks(signed, Signing.due(signed, settings), transaction)
      if record.state != .inForce { try supersede(by: signed, transaction) }
      try transaction.enqueue(
        RenderJob.kind, Array(signed.id.utf8), id: "render-\(signed.id)-\(signed.signatures.count)")
      return CounterSignResponse(record: signed)
    }
    heads.forget(answer.record.map { [$0] } ?? [], of: context.identity.tenant)
    return answer
  }
}

extension LocaleTag {
  static let english: LocaleTag = {
    guard let tag = LocaleTag("en") else { preconditionFailure("'en' is a language tag") }
    return tag
  }()
}
