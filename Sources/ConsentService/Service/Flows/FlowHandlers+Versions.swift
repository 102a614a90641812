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
    try await data.admit(context, to: { _, _ in Touched.study(request.studyID) })
    try Refusal.requireName(request.name, "name")
    let definition = try await clean(request.definition, context)
    return try await data.once(request, context, of: .study(request.studyID)) { transaction, caller, _ in
      _ = try StudyStore.study(request.studyID, transaction)
      let id = try identifiers.chosen(request.flowID, "flow_id")
      guard try FlowStore.find(id, transaction) == nil else {
        throw Refusal(.alreadyExists, "flow_exists", field: "flow_id", "there is a flow '\(id)' already")
      }
      let number = try FlowStore.newNumber(of: id, transaction)
      let flow = ConsentFlow(flowID: id, studyID: request.studyID, name: request.name, draftVersion: number)
      try FlowStore.save(flow, transaction)
      let version = FlowVersion(flowID: id, version: number, state: .draft)
      let draft = try Self.store(version, definition, flow, transaction, caller)
      return CreateFlowResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func createFlowDraft(
    _ request: CreateFlowDraftRequest, context: CallContext
  ) async throws -> CreateFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, known in
      var flow = known
      guard flow.draftVersion == 0 else {
        let message = "flow '\(flow.flowID)' already has a draft, version \(flow.draftVersion)"
        throw Refusal(.alreadyExists, "draft_exists", field: "flow_id", message)
      }
      // A flow whose only draft was discarded begins with an empty one.
      let kept = try FlowStore.newestKept(of: flow.flowID, transaction)
      let definition = kept == 0 ? FlowDefinition() : try FlowStore.version(kept, of: flow, transaction).definition
      let number = try FlowStore.newNumber(of: flow.flowID, transaction)
      let version = FlowVersion(
        flowID: flow.flowID, version: number, state: .draft, revision: 1, definition: definition)
      flow.draftVersion = version.version
      try FlowStore.save(flow, transaction)
      try FlowStore.save(version, transaction)
      try transaction.note(ConsentEvent(.draftChanged, of: flow, version), by: caller)
      return CreateFlowDraftResponse(version: version)
    }
  }

  func updateFlowDraft(
    _ request: UpdateFlowDraftRequest, context: CallContext
  ) async throws -> UpdateFlowDraftResponse {
    try await data.admit(context, to: Self.flow(request.flowID))
    let definition = try await clean(request.definition, context)
    return try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try Self.draft(of: flow, revision: request.expectedRevision, "no_draft", transaction)
      let draft = try Self.store(version, definition, flow, transaction, caller)
      return UpdateFlowDraftResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func publishFlowDraft(
    _ request: PublishFlowDraftRequest, context: CallContext
  ) async throws -> PublishFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, known in
      var flow = known
      var version = try Self.draft(of: flow, revision: request.expectedRevision, "already_published", transaction)
      let definition = version.definition ?? FlowDefinition()
      try Publishing.refuse(try Self.problems(in: definition, of: flow.studyID, transaction))
      let study = try StudyStore.study(flow.studyID, transaction)
      if study.secondPerson, version.state == .draft {
        version.state = .awaitingApproval
        version.publishedBy = try Approver(caller, field: "flow_id", transaction).name
        try FlowStore.save(version, transaction)
        try transaction.note(ConsentEvent(.approvalRequested, of: flow, version), by: caller)
        return PublishFlowDraftResponse(version: version)
      }
      if version.state == .awaitingApproval {
        let second = try Approver(caller, field: "flow_id", transaction)
        try Publishing.requireSecond(second, after: version.publishedBy, field: "flow_id", study: study.studyID)
        version.approvedBy = second.name
      } else {
        version.publishedBy = caller.actor
      }
      version.state = .published
      version.versionHash = try DocumentHashes.flow(definition).hex
      version.publishedAt = Timestamp(transaction.now)
      flow.publishedVersion = version.version
      flow.draftVersion = 0
      try FlowStore.save(version, transaction)
      try FlowStore.save(flow, transaction)
      try transaction.note(ConsentEvent(.versionPublished, of: flow, version), by: caller)
      return PublishFlowDraftResponse(version: version)
    }
  }

  func retireFlowVersion(
    _ request: RetireFlowVersionRequest, context: CallContext
  ) async throws -> RetireFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try Self.end(flow, request.version, as: .retired, request.reason, transaction, caller)
      return RetireFlowVersionResponse(version: version)
    }
  }

  func stopFlowVersion(
    _ request: StopFlowVersionRequest, context: CallContext
  ) async throws -> StopFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, flow in
      let version = try Self.end(flow, request.version, as: .stopped, request.reason, transaction, caller)
      return StopFlowVersionResponse(version: version)
    }
  }

  /// Ending a version that has ended in the same way changes nothing: the call may be repeated.
  private static func end(
    _ known: ConsentFlow, _ number: Int32, as state: VersionState, _ reason: String, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> FlowVersion {
    var flow = known
    var version = try FlowStore.version(number, of: flow, transaction)
    if version.state == state { return version }
    guard version.state == .published || (state == .stopped && version.state == .retired) else {
      let message = "version \(number) of '\(flow.flowID)' is \(version.state.word)"
      throw Refusal(.precondition, "not_published", field: "version", message)
    }
    try Refusal.requireShort(reason)
    version.state = state
    version.endedReason = reason
    if flow.publishedVersion == version.version { flow.publishedVersion = 0 }
    try FlowStore.save(version, transaction)
    try FlowStore.save(flow, transaction)
    try transaction.note(
      ConsentEvent(state == .stopped ? .versionStopped : .versionRetired, of: flow, version), by: caller)
    return version
  }

  /// Reinstating the version that new sessions walk changes nothing: the call may be repeated. An earlier version stays
  /// published when a newer one is published; it counts as retired here, and can be reinstated once no version is in
  /// its place.
  func reinstateFlowVersion(
    _ request: ReinstateFlowVersionRequest, context: CallContext
  ) async throws -> ReinstateFlowVersionResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, known in
      var flow = known
      var version = try FlowStore.version(request.version, of: flow, transaction)
      if version.version == flow.publishedVersion { return ReinstateFlowVersionResponse(version: version) }
      let state: VersionState = version.state == .published ? .retired : version.state
      try Publishing.requireReinstatable(state, request.version, published: flow.publishedVersion)
      (version.state, version.endedReason) = (.published, "")
      flow.publishedVersion = version.version
      try FlowStore.save(version, transaction)
      try FlowStore.save(flow, transaction)
      try transaction.note(ConsentEvent(.versionReinstated, of: flow, version), by: caller)
      return ReinstateFlowVersionResponse(version: version)
    }
  }

  func discardFlowDraft(
    _ request: DiscardFlowDraftRequest, context: CallContext
  ) async throws -> DiscardFlowDraftResponse {
    try await data.once(request, context, of: Self.flow(request.flowID)) { transaction, caller, known in
      var flow = known
      var version = try Self.draft(of: flow, revision: request.expectedRevision, "no_draft", transaction)
      (version.state, version.definition, version.publishedBy) = (.discarded, nil, "")
      flow.draftVersion = 0
      try FlowStore.save(version, transaction)
      try FlowStore.save(flow, transaction)
      var event = ConsentEvent(.draftChanged, of: flow, version)
      event.note = "discarded"
      try transaction.note(event, by: caller)
      return DiscardFlowDraftResponse(flow: flow)
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

  /// The draft that the caller edits or publishes, at the revision that they have seen.
  private static func draft(
    of flow: ConsentFlow, revision: Int32, _ rule: String, _ transaction: Transaction
  ) throws -> FlowVersion {
    guard flow.draftVersion != 0 else {
      let message = "flow '\(flow.flowID)' has no draft; version \(flow.publishedVersion) is published already"
      throw Refusal(.precondition, rule, field: "flow_id", message)
    }
    let version = try FlowStore.version(flow.draftVersion, of: flow, transaction)
    try Publishing.require(revision, draftAt: version.revision)
    return version
  }

  private static func store(
    _ version: FlowVersion, _ definition: Cleaned<FlowDefinition>, _ flow: ConsentFlow, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> (version: FlowVersion, removed: [SanitizerRemoval], problems: [Problem]) {
    var version = version
    version.definition = definition.value
    version.revision = try version.revision.following("the revision of the draft")
    // An edit withdraws the request for approval, so that nobody approves a text that changed after it.
    version.state = .draft
    version.publishedBy = ""
    try FlowStore.save(written: version, transaction)
    try transaction.note(ConsentEvent(.draftChanged, of: flow, version), by: caller)
    return (version, definition.removed, try problems(in: definition.value, of: flow.studyID, transaction))
  }
}
