internal import Bus
internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// Documents as files, and the assets that they name.
extension DocumentHandlers {
  func importDocument(_ request: ImportDocumentRequest, context: CallContext) async throws -> ImportDocumentResponse {
    try await data.once(request, context) { transaction, caller in
      let file = request.file ?? DocumentFile()
      guard file.format == 1 else {
        throw Refusal(.invalid, "unknown_format", field: "file.format", "file.format is \(file.format); this reads 1")
      }
      try caller.require([.publisher], study: request.studyID)
      for (index, asset) in file.assets.enumerated() {
        let stored = try AssetRules.accepted(kind: asset.kind, data: asset.data, "file.assets[\(index)]")
        guard asset.hash.isEmpty || stored.asset.hash == asset.hash else {
          let message = "file.assets[\(index)].hash is not the hash of its data, \(stored.asset.hash)"
          throw Refusal(.invalid, "asset_hash_differs", field: "file.assets[\(index)].hash", message)
        }
        try DocumentStore.saveAsset(stored.asset, transaction)
      }
      let draft: Draft
      if let known = try DocumentStore.find(file.documentID, transaction) {
        draft = try replaceDraft(of: known, file.content, transaction, caller)
      } else {
        draft = try begin(file.documentID, named: file.name, in: request.studyID, file.content, transaction, caller)
      }
      return ImportDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func exportDocument(_ request: ExportDocumentRequest, context: CallContext) async throws -> ExportDocumentResponse {
    try await data.read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.require([.publisher, .inspector], study: document.studyID)
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      let content = version.content ?? DocumentContent()
      let assets = try DocumentStore.knownAssets(in: content, snapshot).sorted().map {
        try DocumentStore.asset($0, snapshot)
      }
      return ExportDocumentResponse(
        file: DocumentFile(
          format: 1, documentID: document.documentID, name: document.name, content: content, assets: assets,
          version: version.version, versionHash: version.versionHash))
    }
  }

  func createAsset(_ request: CreateAssetRequest, context: CallContext) async throws -> CreateAssetResponse {
    try await data.once(request, context) { transaction, caller in
      try caller.requireSomewhere(.publisher)
      let (asset, removed) = try AssetRules.accepted(kind: request.kind, data: request.data, "data")
      try DocumentStore.saveAsset(asset, transaction)
      return CreateAssetResponse(hash: asset.hash, removed: removed)
    }
  }

  func getAsset(_ request: GetAssetRequest, context: CallContext) async throws -> GetAssetResponse {
    try await data.read(context) { snapshot, _ in
      guard request.hash.isEmpty else {
        return GetAssetResponse(asset: try DocumentStore.asset(request.hash, snapshot))
      }
      let color = request.inkColor.isEmpty ? "currentColor" : request.inkColor
      guard PredefinedImages.isColor(color) else {
        let message = "ink_color is '\(color.prefix(40))'; it must be #rgb, #rrggbb or currentColor"
        throw Refusal(.invalid, "bad_color", field: "ink_color", message)
      }
      guard let name = request.predefined.imageName, let svg = PredefinedImages.svg(name, ink: color) else {
        throw Refusal.notFound("predefined image", "\(request.predefined)", field: "predefined")
      }
      return GetAssetResponse(asset: AssetRules.named(.svg, Array(svg.utf8)))
    }
  }
}
