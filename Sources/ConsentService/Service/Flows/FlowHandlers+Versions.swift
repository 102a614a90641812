internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Creating, replacing, publishing and retiring drafts and versions.
extension FlowHandlers {
  func createFlow(_ request: CreateFlowRequest, context: CallContext) async throws -> CreateFlowResponse {
    try await data.admit(context, to: { _, _ in AccessTarget.study(request.studyID) })
    try Refusal.requireName(request.name, "name")
    let definition = try await clean(request.definition, context)
    return try await data.once(request, context, of: .study(request.studyID)) { transaction, caller, _ in
      _ = try StudyStore.study(request.studyID, transaction)
      let id = try FlowStore.free(request.flowID, identifiers, transaction)
      let number = try FlowStore.newNumber(of: id, transaction)
      let flow = ConsentFlow(flowID: id, studyID: request.studyID, name: request.name, draftVersion: number)
      try FlowStore.save(flow, transaction)
      let draft = try Self.store(flow.version(number), definition, flow, transaction, caller)
      return CreateFlowResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func createFlowDraft(
    _ request: CreateFlowDraftRequest, context: CallContext
  ) async throws -> CreateFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      try FlowStore.requireNoDraft(of: flow)
      let definition = try FlowStore.newestContent(of: flow, transaction) ?? FlowDefinition()
      let version = try FlowStore.beginDraft(of: flow, definition, transaction, caller)
      return CreateFlowDraftResponse(version: version)
    }
  }

  func updateFlowDraft(
    _ request: UpdateFlowDraftRequest, context: CallContext
  ) async throws -> UpdateFlowDraftResponse {
    try await data.admit(context, to: Self.flow(request.flowID))
    let definition = try await clean(request.definition, context)
    return try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try FlowStore.draft(of: flow, revision: request.expectedRevision, transaction)
      let draft = try Self.store(version, definition, flow, transaction, caller)
      return UpdateFlowDraftResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func publishFlowDraft(
    _ request: PublishFlowDraftRequest, context: CallContext
  ) async throws -> PublishFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try FlowStore.publishDraft(
        of: flow, revision: request.expectedRevision, transaction, caller,
        problems: { try Self.problems(in: $0.definition ?? FlowDefinition(), of: flow.studyID, transaction) },
        completing: { $0.versionHash = try DocumentHashes.flow($0.definition ?? FlowDefinition()).hex })
      return PublishFlowDraftResponse(version: version)
    }
  }

  func retireFlowVersion(
    _ request: RetireFlowVersionRequest, context: CallContext
  ) async throws -> RetireFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try FlowStore.end(request.version, of: flow, as: .retired, request.reason, transaction, caller)
      return RetireFlowVersionResponse(version: version)
    }
  }

  func stopFlowVersion(
    _ request: StopFlowVersionRequest, context: CallContext
  ) async throws -> StopFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try FlowStore.end(request.version, of: flow, as: .stopped, request.reason, transaction, caller)
      return StopFlowVersionResponse(version: version)
    }
  }

  func reinstateFlowVersion(
    _ request: ReinstateFlowVersionRequest, context: CallContext
  ) async throws -> ReinstateFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try FlowStore.reinstate(request.version, of: flow, transaction, caller)
      return ReinstateFlowVersionResponse(version: version)
    }
  }

  func discardFlowDraft(
    _ request: DiscardFlowDraftRequest, context: CallContext
  ) async throws -> DiscardFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      DiscardFlowDraftResponse(
        flow: try FlowStore.discardDraft(of: flow, revision: request.expectedRevision, transaction, caller))
    }
  }

  func getFormCounts(_ request: GetFormCountsRequest, context: CallContext) async throws -> GetFormCountsResponse {
    try await data.read(context, of: Self.flow(request.flowID)) { snapshot, _, flow in
      let version = try FlowStore.version(orNewest: request.version, of: flow, snapshot)
      let forms = try (version.definition?.steps ?? []).compactMap { step -> FormCounts? in
        guard case .form? = step.step else { return nil }
        let place = CountStore.Place.form(
          step.id, of: flow.flowID, version: version.version, isTest: request.test)
        return try CountStore.forms(place, stepID: step.id, snapshot)
      }
      return GetFormCountsResponse(version: version.version, forms: forms)
    }
  }

  // MARK: Drafts

  private func clean(_ definition: FlowDefinition?, _ context: CallContext) async throws -> Cleaned<FlowDefinition> {
    try await markup.clean(context) { try $0.clean(definition ?? FlowDefinition()) }
  }

  private static func store(
    _ version: FlowVersion, _ definition: Cleaned<FlowDefinition>, _ flow: ConsentFlow, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> (version: FlowVersion, removed: [SanitizerRemoval], problems: [Problem]) {
    var version = version
    try FlowStore.store(definition.value, in: &version, of: flow, transaction, caller)
    return (version, definition.removed, try problems(in: definition.value, of: flow.studyID, transaction))
  }
}
