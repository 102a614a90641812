package import Bus
package import SignatureContract
internal import Storage
internal import Wire

/// SignatureService: checks what is asked, has the store do it, and answers with the field's view.
package struct SignatureHandlers: SignatureServiceProtocol {
  let store: FieldStore

  package init(store: FieldStore) {
    self.store = store
  }

  package func createField(_ request: CreateFieldRequest, context: CallContext) async throws -> CreateFieldResponse {
    guard let settings = request.settings else { throw FieldChecks.missing("settings") }
    let view = try await store.create(
      try FieldChecks.reference(request.reference), try FieldChecks.settled(settings), asked: try request.encoded(),
      for: context)
    return CreateFieldResponse(view: view)
  }

  package func getField(_ request: GetFieldRequest, context: CallContext) async throws -> GetFieldResponse {
    GetFieldResponse(view: try await store.field(request.fieldID, for: context))
  }

  package func listFields(_ request: ListFieldsRequest, context: CallContext) async throws -> ListFieldsResponse {
    try FieldChecks.identifier(request.sessionID, "session_id", isRequired: true)
    let limit = try FieldChecks.pageSize(request.pageSize)
    let (views, next) = try await store.fields(
      of: request.sessionID, after: request.pageToken, limit: limit, for: context)
    return ListFieldsResponse(views: views, nextPageToken: next)
  }

  package func tapField(_ request: TapFieldRequest, context: CallContext) async throws -> TapFieldResponse {
    let wanted = try wanted(.tap, request.fieldID, request.expectedVersion, request)
    return TapFieldResponse(view: try await store.tap(wanted, for: context))
  }

  package func clearField(_ request: ClearFieldRequest, context: CallContext) async throws -> ClearFieldResponse {
    let wanted = try wanted(.clear, request.fieldID, request.expectedVersion, request)
    return ClearFieldResponse(view: try await store.clear(wanted, for: context))
  }

  package func saveField(_ request: SaveFieldRequest, context: CallContext) async throws -> SaveFieldResponse {
    let wanted = try wanted(.save, request.fieldID, request.expectedVersion, request)
    let time = try FieldChecks.signingTime(request.signingTime)
    try FieldChecks.text(request.drawnWith, "drawn_with", 0...256)
    let view = try await store.save(wanted, time, drawnWith: request.drawnWith, for: context)
    return SaveFieldResponse(view: view)
  }

  package func cancelField(_ request: CancelFieldRequest, context: CallContext) async throws -> CancelFieldResponse {
    let wanted = try wanted(.cancel, request.fieldID, request.expectedVersion, request)
    return CancelFieldResponse(view: try await store.cancel(wanted, for: context))
  }

  package func reEnterField(
    _ request: ReEnterFieldRequest, context: CallContext
  ) async throws -> ReEnterFieldResponse {
    let wanted = try wanted(.reEnter, request.fieldID, request.expectedVersion, request)
    return ReEnterFieldResponse(view: try await store.reEnter(wanted, for: context))
  }

  package func saveTypedName(
    _ request: SaveTypedNameRequest, context: CallContext
  ) async throws -> SaveTypedNameResponse {
    let wanted = try wanted(.saveTyped, request.fieldID, request.expectedVersion, request)
    let name = TypedName(try FieldChecks.typed(request.name))
    let time = try FieldChecks.signingTime(request.signingTime)
    return SaveTypedNameResponse(view: try await store.saveTyped(wanted, name, time, for: context))
  }

  package func completeField(
    _ request: CompleteFieldRequest, context: CallContext
  ) async throws -> CompleteFieldResponse {
    if request.expectedVersion != 0 { try FieldChecks.version(request.expectedVersion) }
    let wanted = FieldStore.Wanted(
      .complete, request.fieldID, version: request.expectedVersion, request: try request.encoded())
    return CompleteFieldResponse(view: try await store.complete(wanted, for: context))
  }

  private func wanted(
    _ action: CellAction, _ field: String, _ version: Int64, _ request: some Message
  ) throws -> FieldStore.Wanted {
    try FieldChecks.version(version)
    return FieldStore.Wanted(action, field, version: version, request: try request.encoded())
  }
}
