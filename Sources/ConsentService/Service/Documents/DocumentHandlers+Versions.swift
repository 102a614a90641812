internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Publishing, retiring and stopping versions.
extension DocumentHandlers {
  func publishDocumentDraft(
    _ request: PublishDocumentDraftRequest, context: CallContext
  ) async throws -> PublishDocumentDraftResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      if document.draftVersion == 0 {
        let message =
          "document '\(document.documentID)' has no draft; version \(document.publishedVersion) is published already"
        throw Refusal(.precondition, "already_published", field: "document_id", message)
      }
      var version = try Self.draft(of: document, revision: request.expectedRevision, transaction)
      let study = try StudyStore.study(document.studyID, transaction)
      let assets = try DocumentStore.knownAssets(in: version.content ?? DocumentContent(), transaction)
      if study.secondPerson, version.state == .draft {
        let first = try Approver(caller, field: "document_id", transaction)
        let problems = DocumentValidation.problems(
          in: version.content ?? DocumentContent(), version: Int(version.version), assets: assets)
        try Publishing.refuse(problems)
        version.state = .awaitingApproval
        version.publishedBy = first.name
        try DocumentStore.save(version, transaction)
        try transaction.note(ConsentEvent(.approvalRequested, of: document, version), by: caller)
        return PublishDocumentDraftResponse(version: version)
      }
      if version.state == .awaitingApproval {
        let second = try Approver(caller, field: "document_id", transaction)
        try Publishing.requireSecond(second, after: version.publishedBy, field: "document_id", study: study.studyID)
      }
      try Publishing.publish(&version, assets: assets, by: caller.actor, at: transaction.now)
      try Self.replacePublished(of: document, by: version, transaction, caller)
      return PublishDocumentDraftResponse(version: version)
    }
  }

  /// Stores a version that was just published, replacing the previous one.
  private static func replacePublished(
    of document: ConsentDocument, by version: DocumentVersion, _ transaction: Transaction, _ caller: Caller
  ) throws {
    try DocumentStore.save(version, transaction)
    if document.publishedVersion != 0 {
      var earlier = try DocumentStore.version(document.publishedVersion, of: document, transaction)
      if earlier.state == .published {
        earlier.state = .retired
        earlier.endedReason = "version \(version.version) was published"
        try DocumentStore.save(earlier, transaction)
        let event = ConsentEvent(.versionRetired, of: document, earlier, hash: earlier.versionHash)
        try transaction.note(event, by: caller)
      }
    }
    if let settings = version.content?.settings, settings.reconsent == .byDate {
      let id = Expiry.versionID(document.documentID, version.version)
      try DeadlineStore.set(.reconsent, id, at: settings.reconsentBy.orEpoch, transaction)
    }
    var document = document
    document.publishedVersion = version.version
    document.draftVersion = 0
    try DocumentStore.save(document, transaction)
    try transaction.note(
      ConsentEvent(.versionPublished, of: document, version, hash: version.versionHash), by: caller)
  }

  func retireDocumentVersion(
    _ request: RetireDocumentVersionRequest, context: CallContext
  ) async throws -> RetireDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      let version = try Self.end(
        document, request.version, as: .retired, request.reason, transaction, caller)
      return RetireDocumentVersionResponse(version: version)
    }
  }

  func stopDocumentVersion(
    _ request: StopDocumentVersionRequest, context: CallContext
  ) async throws -> StopDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      let version = try Self.end(
        document, request.version, as: .stopped, request.reason, transaction, caller)
      // Many records may wait for signatures on the version, so `Expiry` ends them.
      let id = Expiry.versionID(document.documentID, version.version)
      try DeadlineStore.set(.stopped, id, at: transaction.now, transaction)
      return StopDocumentVersionResponse(version: version)
    }
  }

  /// Reinstating a published version changes nothing: the call may be repeated.
  func reinstateDocumentVersion(
    _ request: ReinstateDocumentVersionRequest, context: CallContext
  ) async throws -> ReinstateDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, known in
      var document = known
      var version = try DocumentStore.version(request.version, of: document, transaction)
      if version.state == .published { return ReinstateDocumentVersionResponse(version: version) }
      try Publishing.requireReinstatable(
        version.state, request.version, published: document.publishedVersion,
        demands: DocumentStore.demands(of: document.documentID, above: request.version, transaction))
      (version.state, version.endedReason) = (.published, "")
      document.publishedVersion = version.version
      try DocumentStore.save(version, transaction)
      try DocumentStore.save(document, transaction)
      let event = ConsentEvent(.versionReinstated, of: document, version, hash: version.versionHash)
      try transaction.note(event, by: caller)
      return ReinstateDocumentVersionResponse(version: version)
    }
  }

  func listDocumentVersions(
    _ request: ListDocumentVersionsRequest, context: CallContext
  ) async throws -> ListDocumentVersionsResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    return try await data.read(context, of: Self.document(request.documentID)) { snapshot, _, document in
      let (versions, next) = try DocumentStore.versions(of: document, page, snapshot) { version in
        let place = CountStore.Place(
          documentID: document.documentID, version: version.version, isTest: request.test)
        return DocumentVersionSummary(
          version: version.version, state: version.state, versionHash: version.versionHash,
          publishedAt: version.publishedAt, endedReason: version.endedReason,
          locales: (version.content?.texts ?? []).map(\.locale).sorted(),
          counts: try CountStore.counts(place, snapshot))
      }
      return ListDocumentVersionsResponse(versions: versions, nextPageToken: next)
    }
  }

  /// Ending a version that has ended in the same way changes nothing: the call may be repeated.
  private static func end(
    _ document: ConsentDocument, _ number: Int32, as state: VersionState, _ reason: String,
    _ transaction: Transaction, _ caller: Caller
  ) throws -> DocumentVersion {
    var document = document
    var version = try DocumentStore.version(number, of: document, transaction)
    if version.state == state { return version }
    guard version.state == .published || (state == .stopped && version.state == .retired) else {
      let message = "version \(number) of '\(document.documentID)' is \(version.state.word); it cannot be \(state.word)"
      throw Refusal(.precondition, "not_published", field: "version", message)
    }
    try Refusal.requireShort(reason)
    version.state = state
    version.endedReason = reason
    try DocumentStore.save(version, transaction)
    if document.publishedVersion == number {
      document.publishedVersion = 0
      try DocumentStore.save(document, transaction)
    }
    let kind: ConsentEventKind = state == .stopped ? .versionStopped : .versionRetired
    try transaction.note(ConsentEvent(kind, of: document, version, hash: version.versionHash), by: caller)
    return version
  }
}
