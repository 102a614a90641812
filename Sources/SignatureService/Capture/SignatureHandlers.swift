package import Base
package import RPC
package import ServicePolicy
package import SignatureContract
package import Storage
internal import Wire

/// The handlers of SignatureService: they check requests, call the stores, and answer with the field's view.
package struct SignatureHandlers: SignatureServiceProtocol {
  let data: ServiceDatabase
  let identifiers: IdentifierSource
  let pictures: PictureMaker
  /// Signs the evidence that is handed out; nil if the process has no key for that.
  let evidence: EvidenceSigner?

  package init(
    data: ServiceDatabase, pictures: PictureMaker, evidence: EvidenceSigner? = nil,
    identifiers: IdentifierSource = IdentifierSource()
  ) {
    self.data = data
    self.evidence = evidence
    self.identifiers = identifiers
    self.pictures = pictures
  }

  package func createField(_ request: CreateFieldRequest, context: CallContext) async throws -> CreateFieldResponse {
    guard let settings = request.settings else { throw FieldChecks.missing("settings") }
    let reference = try FieldChecks.reference(request.reference)
    let settled = try FieldChecks.settled(settings)
    if let words = settled.inscription { try await pictures.check(words) }
    let field = SignatureField(
      id: try identifiers.next(unless: request.fieldID, "field_id"), reference: reference, settings: settled)
    return try await data.once(request, context, of: { _, _ in NewField(reference: reference) }) {
      transaction, caller, _ in
      var field = field
      field.holder = caller.isDevice ? caller.actor : ""
      try FieldStore.create(field, by: Signer(caller), in: transaction)
      return CreateFieldResponse(view: field.view)
    }
  }

  package func getField(_ request: GetFieldRequest, context: CallContext) async throws -> GetFieldResponse {
    try FieldChecks.identifier(request.fieldID, "field_id", isRequired: true)
    return try await data.disclose(context, of: FieldStore.named(request.fieldID)) { snapshot, held, disclosure in
      disclosure.noteLook(at: "field/\(request.fieldID)", of: held.target, for: "field")
      let field = try FieldStore.field(request.fieldID, in: snapshot)
      return GetFieldResponse(view: field.view)
    }
  }

  package func listFields(_ request: ListFieldsRequest, context: CallContext) async throws -> ListFieldsResponse {
    try FieldChecks.identifier(request.sessionID, "session_id", isRequired: true)
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let find: ServiceDatabase.Lookup<Found<ListFieldsResponse>> = { snapshot, gate in
      let (fields, next) = try FieldStore.fields(of: request.sessionID, page, in: snapshot)
      let open = try fields.filter { try gate.isOpen(to: HeldField($0), snapshot) }
      // An empty list is about nobody but the caller.
      let own = FieldReference(subjectID: gate.callerName, sessionID: gate.session ?? "")
      let nobody = HeldField(reference: own, holder: gate.callerName)
      // A browser that came by a link is told nothing of fields that another one made for the same session.
      let isOwn = gate.session == request.sessionID
      let shown = (open.isEmpty && !isOwn ? fields : open).map { HeldField($0) }
      return Found(
        ListFieldsResponse(views: open.map(\.view), nextPageToken: next), targets: shown.isEmpty ? [nobody] : shown)
    }
    return try await data.disclose(context, of: find) { _, found, disclosure in
      for (view, field) in zip(found.value.views, found.accessTargets) {
        disclosure.noteLook(at: "field/\(view.fieldID)", of: field, for: "list of fields")
      }
      return found.value
    }
  }

  package func tapField(_ request: TapFieldRequest, context: CallContext) async throws -> TapFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      TapFieldResponse(view: try FieldStore.tap(target.change(.tap, caller), in: transaction).view)
    }
  }

  package func clearField(_ request: ClearFieldRequest, context: CallContext) async throws -> ClearFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      ClearFieldResponse(view: try FieldStore.clear(target.change(.clear, caller), in: transaction).view)
    }
  }

  package func undoStroke(_ request: UndoStrokeRequest, context: CallContext) async throws -> UndoStrokeResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      UndoStrokeResponse(view: try FieldStore.undo(target.change(.undo, caller), in: transaction).view)
    }
  }

  package func resizeField(_ request: ResizeFieldRequest, context: CallContext) async throws -> ResizeFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    guard let given = request.canvas else { throw FieldChecks.missing("canvas") }
    let canvas = try FieldChecks.canvas(given, "canvas")
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let field = try FieldStore.resize(target.change(.resize, caller), to: canvas, in: transaction)
      return ResizeFieldResponse(view: field.view)
    }
  }

  package func cancelField(_ request: CancelFieldRequest, context: CallContext) async throws -> CancelFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      CancelFieldResponse(view: try FieldStore.cancel(target.change(.cancel, caller), in: transaction).view)
    }
  }

  package func reEnterField(
    _ request: ReEnterFieldRequest, context: CallContext
  ) async throws -> ReEnterFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      ReEnterFieldResponse(view: try FieldStore.reEnter(target.change(.reEnter, caller), in: transaction).view)
    }
  }

  package func lendField(_ request: LendFieldRequest, context: CallContext) async throws -> LendFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion, mayBeAny: true)
    let loan = try FieldLoan(validating: request.device)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      LendFieldResponse(view: try FieldStore.lend(target.change(.append, caller), to: loan, in: transaction).view)
    }
  }

  package func completeField(
    _ request: CompleteFieldRequest, context: CallContext
  ) async throws -> CompleteFieldResponse {
    let target = try Target(request.fieldID, request.expectedVersion, mayBeAny: true)
    let pin = try PinnedRevision(request.revision, request.reference)
    return try await data.once(request, context, of: target.find) { transaction, caller, _ in
      let field = try FieldStore.complete(target.change(.complete, caller), with: pin, in: transaction)
      return CompleteFieldResponse(view: field.view)
    }
  }
}

/// The field that a request is about, and the version that its sender saw.
struct Target: Sendable {
  let fieldID: String
  private let version: Int64

  /// - Parameter mayBeAny: whether 0 stands for any version.
  init(_ fieldID: String, _ version: Int64, mayBeAny: Bool = false) throws(Refusal) {
    try FieldChecks.identifier(fieldID, "field_id", isRequired: true)
    if version != 0 || !mayBeAny { try FieldChecks.version(version) }
    self.fieldID = fieldID
    self.version = version
  }

  /// Finds what the field was created for, by which the caller's rights are checked.
  var find: ServiceDatabase.Lookup<HeldField> { FieldStore.named(fieldID) }

  func change(_ action: CellAction, _ caller: Caller) -> FieldChange {
    FieldChange(action, fieldID, version: version, by: Signer(caller))
  }
}

extension Signer {
  init(_ caller: Caller) { self.init(name: caller.actor, device: caller.device) }
}
