internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// Documents as files, and the assets that they name.
extension DocumentHandlers {
  func importDocument(_ request: ImportDocumentRequest, context: CallContext) async throws -> ImportDocumentResponse {
    let file = request.file ?? DocumentFile()
    guard file.format == 1 else {
      throw Refusal(.invalid, "unknown_format", field: "file.format", "file.format is \(file.format); this reads 1")
    }
    // A known document is replaced, whatever study is named.
    let find: ServiceDatabase.Lookup<Found<ConsentDocument?>> = { snapshot, _ in
      let known = try DocumentStore.find(file.documentID, snapshot)
      return Found(known, targets: [.study(request.studyID)] + (known?.accessTargets ?? []))
    }
    try await data.admit(context, to: find)
    try Refusal.requireName(file.name, "file.name")
    let cleaned = try await markup.clean(context) { cleaner throws -> DocumentFile in
      var file = file
      file.assets = try cleaner.accept(file.assets, "file.assets")
      file.content = try cleaner.clean(file.content ?? DocumentContent())
      return file
    }
    let drawn = try await pages.draw(cleaned.value.assets, context) { "file.assets[\($0)].data" }
    let content = Cleaned(value: cleaned.value.content ?? DocumentContent(), removed: cleaned.removed)
    return try await data.once(request, context, of: find) { transaction, caller, found in
      for asset in cleaned.value.assets { try DocumentStore.saveAsset(asset, transaction) }
      let draft: Draft
      if let known = found.value {
        draft = try replaceDraft(of: known, content, drawn: drawn, transaction, caller)
      } else {
        draft = try begin(
          file.documentID, named: file.name, in: request.studyID, content, drawn: drawn, transaction, caller)
      }
      for file in drawn { try FileStore.save(file, transaction) }
      return ImportDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func exportDocument(_ request: ExportDocumentRequest, context: CallContext) async throws -> ExportDocumentResponse {
    try await data.read(context, of: Self.document(request.documentID)) { snapshot, _, document in
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
    try await data.admit(context, to: { _, _ in AccessTarget.tenant })
    let cleaned = try await markup.clean(context) { try $0.accept(kind: request.kind, data: request.data, "data") }
    let drawn = try await pages.draw([cleaned.value], context) { _ in "data" }
    return try await data.once(request, context, of: .tenant) { transaction, _, _ in
      try DocumentStore.saveAsset(cleaned.value, transaction)
      var pages: [FilePage] = []
      for file in drawn {
        pages = try FileStore.pages(of: file.file.asset, drawn, transaction)
        try FileStore.save(file, transaction)
      }
      return CreateAssetResponse(hash: cleaned.value.hash, removed: cleaned.removed, pages: pages)
    }
  }

  func getAsset(_ request: GetAssetRequest, context: CallContext) async throws -> GetAssetResponse {
    try await data.read(context, of: .tenant) { snapshot, _, _ in
      guard request.hash.isEmpty else {
        return GetAssetResponse(asset: try DocumentStore.asset(request.hash, snapshot))
      }
      let color = request.inkColor.isEmpty ? "currentColor" : request.inkColor
      guard PredefinedImages.isColor(color) else {
        let message = "ink_color is '\(color.shortened)'; it must be #rgb, #rrggbb or currentColor"
        throw Refusal(.invalid, "bad_color", field: "ink_color", message)
      }
      guard let name = request.predefined.imageName, let svg = PredefinedImages.svg(name, ink: color) else {
        throw Refusal.notFound("predefined image", "\(request.predefined)", field: "predefined")
      }
      return GetAssetResponse(asset: AssetRules.named(.svg, Array(svg.utf8)))
    }
  }
}
