package import Bus
package import ConsentContract
internal import Storage

/// Publishing, retiring, stopping, and assets.
extension ConsentHandlers {
  package func publishDocument(
    _ request: PublishDocumentRequest, context: CallContext
  ) async throws -> PublishDocumentResponse {
    try await write(request, context) { transaction, caller in
      var document = try DocumentStore.document(request.documentID, transaction)
      try caller.require([.publisher], study: document.studyID)
      if document.draftVersion == 0 {
        let message =
          "document '\(document.id)' has no draft; version \(document.publishedVersion) is published already"
        throw Refusal(.precondition, "already_published", field: "document_id", message)
      }
      var version = try Self.draft(of: document, revision: request.revision, transaction)
      let study = try StudyStore.study(document.studyID, transaction)
      let assets = try Self.assets(of: version, transaction)
      if study.secondPerson, version.state == .draft {
        let problems = DocumentValidation.problems(
          in: version.content ?? DocumentContent(), version: Int(version.version), assets: assets)
        try Publishing.refuse(problems)
        version.state = .awaitingApproval
        version.publishedBy = caller.actor
        try DocumentStore.save(version, transaction)
        try transaction.note(Self.event(.approvalRequested, document, version), by: caller)
        return PublishDocumentResponse(version: version)
      }
      if version.state == .awaitingApproval {
        try Publishing.requireSecond(
          caller.actor, after: version.publishedBy, field: "document_id", study: study.id)
      }
      try Publishing.publish(&version, assets: assets, by: caller.actor, at: transaction.now)
      try DocumentStore.save(version, transaction)
      if document.publishedVersion != 0 {
        var earlier = try DocumentStore.version(document.id, document.publishedVersion, transaction)
        if earlier.state == .published {
          earlier.state = .retired
          earlier.endedReason = "version \(version.version) was published"
          try DocumentStore.save(earlier, transaction)
          try transaction.note(Self.event(.versionRetired, document, earlier, hash: earlier.versionHash), by: caller)
        }
      }
      if let settings = version.content?.settings, settings.reconsent == .byDate {
        let id = Lapses.reconsentID(document.id, version.version)
        try DeadlineStore.set(.reconsent, id, at: settings.reconsentByMs, transaction)
      }
      document.publishedVersion = version.version
      document.draftVersion = 0
      try DocumentStore.save(document, transaction)
      try transaction.note(Self.event(.versionPublished, document, version, hash: version.versionHash), by: caller)
      return PublishDocumentResponse(version: version)
    }
  }

  package func retireVersion(
    _ request: RetireVersionRequest, context: CallContext
  ) async throws -> RetireVersionResponse {
    try await write(request, context) { transaction, caller in
      let version = try end(
        request.documentID, request.version, as: .retired, request.reason, transaction, caller)
      return RetireVersionResponse(version: version)
    }
  }

  package func stopVersion(_ request: StopVersionRequest, context: CallContext) async throws -> StopVersionResponse {
    try await write(request, context) { transaction, caller in
      let version = try end(
        request.documentID, request.version, as: .stopped, request.reason, transaction, caller)
      return StopVersionResponse(version: version)
    }
  }

  private func end(
    _ documentID: String, _ number: Int32, as state: VersionState, _ reason: String, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> DocumentVersion {
    var document = try DocumentStore.document(documentID, transaction)
    try caller.require([.publisher], study: document.studyID)
    var version = try DocumentStore.version(documentID, number, transaction)
    guard version.state == .published || (state == .stopped && version.state == .retired) else {
      let message = "version \(number) of '\(documentID)' is \(version.state.wireName); it cannot be \(state.wireName)"
      throw Refusal(.precondition, "not_published", field: "version", message)
    }
    version.state = state
    version.endedReason = reason
    try DocumentStore.save(version, transaction)
    if document.publishedVersion == number {
      document.publishedVersion = 0
      try DocumentStore.save(document, transaction)
    }
    let kind: ConsentEventKind = state == .stopped ? .versionStopped : .versionRetired
    try transaction.note(Self.event(kind, document, version, hash: version.versionHash), by: caller)
    return version
  }

  package func putConsentAsset(
    _ request: PutConsentAssetRequest, context: CallContext
  ) async throws -> PutConsentAssetResponse {
    try await write(request, context) { transaction, caller in
      try caller.requireSomewhere(.publisher)
      let (asset, removed) = try AssetRules.accepted(kind: request.kind, data: request.data, "data")
      try DocumentStore.saveAsset(asset, transaction)
      return PutConsentAssetResponse(hash: asset.hash, removed: removed)
    }
  }

  package func getConsentAsset(
    _ request: GetConsentAssetRequest, context: CallContext
  ) async throws -> GetConsentAssetResponse {
    try await read(context) { snapshot, _ in
      guard request.hash.isEmpty else {
        return GetConsentAssetResponse(asset: try DocumentStore.asset(request.hash, snapshot))
      }
      let color = request.inkColor.isEmpty ? "currentColor" : request.inkColor
      guard PredefinedImages.isColor(color) else {
        let message = "ink_color is '\(color.prefix(40))'; it must be #rgb, #rrggbb or currentColor"
        throw Refusal(.invalid, "bad_color", field: "ink_color", message)
      }
      guard let name = request.predefined.imageName, let svg = PredefinedImages.svg(name, ink: color) else {
        throw Refusal.notFound("predefined image", "\(request.predefined)", field: "predefined")
      }
      return GetConsentAssetResponse(asset: AssetRules.named(.svg, Array(svg.utf8)))
    }
  }
}
