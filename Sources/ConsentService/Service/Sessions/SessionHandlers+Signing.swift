internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Signatures after the end of a session: the task list, and signing.
extension SessionHandlers {
  func listSigningTasks(
    _ request: ListSigningTasksRequest, context: CallContext
  ) async throws -> ListSigningTasksResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let find: ServiceDatabase.Lookup<Found<ListSigningTasksResponse>> = { snapshot, gate in
      let (tasks, next) =
        request.recordID.isEmpty
        ? try RecordStore.tasks(of: request.studyID, page, snapshot)
        : (try RecordStore.tasks(ofRecord: request.recordID, snapshot), "")
      let own = try tasks.filter { task in
        guard request.studyID.isEmpty || task.studyID == request.studyID else { return false }
        // A restored backup may have tasks of somebody who was erased since.
        if try snapshot.vault.isErased(try Subject.stored(task.subjectID)) { return false }
        return try (request.siteID.isEmpty || task.siteID == request.siteID) && gate.isOpen(to: task, snapshot)
      }
      let shown = try own.map { task in
        var task = task
        let record = try RecordStore.head(task.recordID, snapshot)
        task.place = record.place(of: task.signatureID, by: gate.callerName)
        return task
      }
      let list = AccessTarget(
        study: request.studyID.isEmpty ? .none : .one(request.studyID),
        site: request.siteID.isEmpty ? .none : .one(request.siteID))
      return Found(ListSigningTasksResponse(tasks: shown, nextPageToken: next), targets: list)
    }
    return try await data.disclose(context, of: find) { _, found, disclosure in
      for list in found.accessTargets {
        disclosure.note(found.value.tasks.count, "tasks", of: list, for: "list of tasks to sign")
      }
      return found.value
    }
  }

  /// What SignatureService says of a signature. It is asked only once the caller was admitted to the session, or to
  /// signing the record.
  func image<Thing: AccessTargeted>(
    of signature: SignatureInput?, _ context: CallContext, toSign find: @escaping ServiceDatabase.Lookup<Thing>
  ) async throws -> SignatureProofs.Image {
    if signature != nil { try await data.admit(context, to: find) }
    return try await proofs.image(of: signature, context)
  }

  /// Why no font draws a name, asked like that.
  func nameProblem<Thing: AccessTargeted>(
    _ name: PersonName?, _ context: CallContext, toSign find: @escaping ServiceDatabase.Lookup<Thing>
  ) async throws -> Refusal? {
    guard let name else { return nil }
    try await data.admit(context, to: find)
    return try await proofs.problem(ofName: name, context)
  }

  func signRecord(_ request: SignRecordRequest, context: CallContext) async throws -> SignRecordResponse {
    let input = request.signature ?? SignatureInput()
    let find: ServiceDatabase.Lookup<Found<Signable>> = { snapshot, _ in
      try Signable.found(request.signatureID, on: request.recordID, snapshot)
    }
    let image = try await image(of: request.signature, context, toSign: find)
    let nameProblem = try await nameProblem(request.name, context, toSign: find)
    let answer: SignRecordResponse = try await data.once(request, context, of: find) { transaction, caller, found in
      try caller.requirePerson(field: "signature_id", "a person gives the signature that signature_id names")
      let (version, settings, definition) = (found.value.version, found.value.settings, found.value.definition)
      let record = try RecordStore.locked(request.recordID, transaction)
      guard version.state != .stopped else {
        let message = "version \(version.version) of '\(record.documentID)' was stopped: nobody signs it"
        throw Refusal(.precondition, "version_stopped", field: "record_id", message)
      }
      try SigningRules.checkDates(settings, at: transaction.now)
      let words = try SignerWords(of: record, version, transaction)
      // The signature must be the signer's own, made for this record.
      var proof = try proofs.proof(image, input, at: record.place(of: definition.id, by: caller.actor), transaction)
      if definition.requiresReauthentication {
        proof.authentication = try AuthenticationRules(try StudyStore.study(record.studyID, transaction)).verified(
          input.reauthentication, for: record.challenge(to: definition.id), by: .person(caller.actor),
          at: transaction.now)
      }
      let name = definition.requiresName ? try SigningRules.name(request.name) : nil
      if let problem = nameProblem, name != nil { throw problem }
      let given = GivenSignature(
        documentID: record.documentID, signatureID: definition.id, name: name,
        input: try SigningRules.input(input, for: definition, printed: name, proof: proof),
        signedAt: Timestamp(transaction.now), deviceTime: request.deviceTime,
        strokesHash: proof.field?.hash ?? "", authentication: proof.authentication,
        savedSignatureID: proof.field?.savedSignatureID ?? "", typedInField: proof.field?.isTyped ?? false,
        personID: caller.actor, origin: proof.field.flatMap(\.stated))
      let facts = RecordMaker.SignerFacts(
        locale: LocaleTag(record.locale) ?? .english, meaning: words.meaning(of: definition),
        authority: words.authority(of: definition), signer: caller.actor)
      try proof.field?.words.check(printed: given.name, meaning: facts.meaning)
      let (signature, secret) = RecordMaker.signature(given, facts, salts: salts)
      var entry = try RecordFiling.entry(request.deviceTime, "", transaction, caller)
      entry.queuedBy = QueuedCalls.queue(of: context)
      let signed = try Signing.adding(
        signature, to: record, settings, entry: entry,
        signerAlsoKnownAs: try MergedAccounts.names(of: caller.actor, transaction))
      try RecordStore.save(signed, known: record.history.count, transaction)
      var secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, transaction)
      secrets.signatures.append(secret)
      try RecordStore.saveSecrets(secrets, of: signed, transaction)
      try transaction.noteEntries(of: signed, known: record.history.count, by: caller.actor)
      try RecordStore.replaceTasks(signed, Signing.due(signed, settings), in: words, transaction)
      if record.state != .inForce { try Settlement.settle(after: signed, transaction, caller) }
      try RecordFiling.render(signed, transaction)
      try CopyFiling.follow(signed, settings, salts, transaction)
      return SignRecordResponse(record: try signed.withCopies(transaction).withAttempts(transaction))
    }
    await closer.closeNow(input, context)
    return answer
  }

  func declineToSign(_ request: DeclineToSignRequest, context: CallContext) async throws -> DeclineToSignResponse {
    let find: ServiceDatabase.Lookup<Found<Signable>> = { snapshot, _ in
      try Signable.found(request.signatureID, on: request.recordID, snapshot)
    }
    return try await data.once(request, context, of: find) { transaction, caller, found in
      let record = try RecordStore.locked(request.recordID, transaction)
      try caller.requireOtherPerson(than: record.subjectID, field: "record_id", transaction)
      try Refusal.requireReason(request.reason, for: "a refusal to sign says why")
      let entry = try RecordFiling.entry(request.deviceTime, request.reason, transaction, caller)
      let settings = found.value.settings
      let declined = try Signing.declining(request.signatureID, on: record, settings, entry: entry)
      try RecordFiling.update(declined, known: record.history.count, transaction, by: caller.actor)
      let words = try SignerWords(of: declined, found.value.version, transaction)
      try RecordStore.replaceTasks(declined, Signing.due(declined, settings), in: words, transaction)
      return DeclineToSignResponse(record: try declined.withCopies(transaction).withAttempts(transaction))
    }
  }
}

extension SignerWords {
  /// The statements made with signatures on a record that exists already, in the record's language.
  init(of record: ConsentRecord, _ version: DocumentVersion, _ snapshot: Snapshot) throws {
    let content = version.content ?? DocumentContent()
    let locale = LocaleTag(record.locale) ?? .english
    let text = content.text(for: locale) ?? DocumentText()
    let asksGuardians = content.settings?.signatures.contains { $0.role == .guardian } ?? false
    // The tenant's own words are read only if a guardian signs and the author states no authority for guardians.
    let own =
      asksGuardians && text.guardianAuthority.isEmpty
      ? try TextsStore.version(record.textsVersion, snapshot) : TextsVersion()
    self.init(
      text, ScreenTexts(locale: locale, standIn: LocaleTag(content.defaultLocale) ?? locale, own: own))
  }
}

/// The signature that a call is to give: its definition, and the version of the document that asks for it.
private struct Signable: Sendable {
  let version: DocumentVersion
  let settings: DocumentSettings
  let definition: SignatureDefinition

  static func found(
    _ signatureID: String, on recordID: String, _ snapshot: Snapshot
  ) throws -> Found<Signable> {
    let record = try RecordStore.head(recordID, snapshot)
    // A form has no document, and nobody signs it.
    let version =
      try record.documentID.isEmpty
      ? DocumentVersion()
      : DocumentStore.existing(record.documentID, record.documentVersion, snapshot)
    let settings = version.content?.settings ?? DocumentSettings()
    guard let definition = settings.signature(signatureID) else {
      let known = settings.signatures.map(\.id).joined(separator: ", ")
      let message = "signature_id is '\(signatureID.shortened)'; the document asks for: \(known)"
      throw Refusal(.notFound, "unknown_signature", field: "signature_id", message)
    }
    let signable = Signable(version: version, settings: settings, definition: definition)
    return Found(signable, targets: record.accessTargets.map { $0.signed(as: definition.role) })
  }
}

extension AccessTarget {
  /// The same data touched by signing in a role: the caller's other roles do not admit to that.
  func signed(as role: SignerRole) -> AccessTarget {
    var touched = self
    // A role that is not stated becomes one that admits no caller.
    touched.act = Role(role) ?? .public
    return touched
  }
}
