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
      let version = try DocumentStore.publishDraft(
        of: document, revision: request.expectedRevision, transaction, caller,
        problems: { try Self.problems(in: $0, of: document, transaction) },
        completing: { version in
          try Publishing.seal(&version)
          try Self.retirePublished(of: document, for: version, transaction, caller)
        })
      return PublishDocumentDraftResponse(version: version)
    }
  }

  /// What belongs to the publication of a version: the one before it is retired, and its date of re-consent is set.
  private static func retirePublished(
    of document: ConsentDocument, for version: DocumentVersion, _ transaction: Transaction, _ caller: Caller
  ) throws {
    if document.publishedVersion != 0 {
      var earlier = try DocumentStore.version(document.publishedVersion, of: document, transaction)
      if earlier.state == .published {
        earlier.state = .retired
        earlier.endedReason = "version \(version.version) was published"
        try DocumentStore.save(earlier, transaction)
        try transaction.note(ConsentEvent(.versionRetired, of: document, earlier), by: caller)
      }
    }
    if let settings = version.content?.settings, settings.reconsent == .byDate {
      let id = Expiry.versionID(document.documentID, version.version)
      try DeadlineStore.set(.reconsent, id, at: settings.reconsentBy.orEpoch, transaction)
      // Many people may have consented to earlier versions, so `Expiry` sets their reminders.
      try DeadlineStore.set(.endings, id, at: transaction.now, transaction)
    }
  }

  func retireDocumentVersion(
    _ request: RetireDocumentVersionRequest, context: CallContext
  ) async throws -> RetireDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      let version = try DocumentStore.end(
        request.version, of: document, as: .retired, request.reason, transaction, caller)
      return RetireDocumentVersionResponse(version: version)
    }
  }

  func stopDocumentVersion(
    _ request: StopDocumentVersionRequest, context: CallContext
  ) async throws -> StopDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      let version = try DocumentStore.end(
        request.version, of: document, as: .stopped, request.reason, transaction, caller)
      // Many records may wait for signatures on the version, so `Expiry` ends them.
      let id = Expiry.versionID(document.documentID, version.version)
      try DeadlineStore.set(.stopped, id, at: transaction.now, transaction)
      return StopDocumentVersionResponse(version: version)
    }
  }

  func reinstateDocumentVersion(
    _ request: ReinstateDocumentVersionRequest, context: CallContext
  ) async throws -> ReinstateDocumentVersionResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      let demands = try DocumentStore.demands(of: document.documentID, above: request.version, transaction)
      let version = try DocumentStore.reinstate(request.version, of: document, demands: demands, transaction, caller)
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
}
