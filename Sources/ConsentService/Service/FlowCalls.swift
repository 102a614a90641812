internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Flows: drafts, validation, publication.
extension ConsentHandlers {
  package func putFlowDraft(_ request: PutFlowDraftRequest, context: CallContext) async throws -> PutFlowDraftResponse {
    try await write(request, context) { transaction, caller in
      _ = try StudyStore.study(request.studyID, transaction)
      try caller.require([.publisher], study: request.studyID)
      let id = try name(request.flowID, "flow_id")
      var flow =
        try FlowStore.find(id, transaction) ?? ConsentFlow(id: id, studyID: request.studyID, name: request.name)
      guard flow.studyID == request.studyID else {
        throw Refusal(.alreadyExists, "flow_exists", field: "flow_id", "flow '\(id)' belongs to another study")
      }
      var version: FlowVersion
      if flow.draftVersion != 0 {
        version = try FlowStore.version(id, flow.draftVersion, transaction)
      } else {
        let number = try FlowStore.newestVersion(of: id, transaction) + 1
        version = FlowVersion(flowID: id, version: number, state: .draft)
      }
      try Publishing.require(request.revision, draftAt: version.revision)
      var cleaner = MarkupCleaner()
      let definition = try cleaner.clean(request.definition ?? FlowDefinition())
      version.definition = definition
      version.revision += 1
      // Whoever approves has read what was asked for: an edit takes the question back.
      version.state = .draft
      version.publishedBy = ""
      flow.draftVersion = version.version
      if !request.name.isEmpty { flow.name = request.name }
      try FlowStore.save(flow, transaction)
      try FlowStore.save(version, transaction)
      try transaction.note(Self.event(.draftChanged, flow, version), by: caller)
      let problems = FlowValidation.problems(
        in: definition, documents: try documents(in: definition, of: flow.studyID, transaction))
      return PutFlowDraftResponse(version: version, removed: cleaner.removed, problems: problems)
    }
  }

  package func validateFlow(_ request: ValidateFlowRequest, context: CallContext) async throws -> ValidateFlowResponse {
    try await read(context) { snapshot, caller in
      try caller.require([.publisher, .inspector], study: request.studyID)
      let definition = request.definition ?? FlowDefinition()
      let documents = try documents(in: definition, of: request.studyID, snapshot)
      return ValidateFlowResponse(problems: FlowValidation.problems(in: definition, documents: documents))
    }
  }

  package func publishFlow(_ request: PublishFlowRequest, context: CallContext) async throws -> PublishFlowResponse {
    try await write(request, context) { transaction, caller in
      var flow = try FlowStore.flow(request.flowID, transaction)
      try caller.require([.publisher], study: flow.studyID)
      guard flow.draftVersion != 0 else {
        let message = "flow '\(flow.id)' has no draft; version \(flow.publishedVersion) is published already"
        throw Refusal(.precondition, "already_published", field: "flow_id", message)
      }
      var version = try FlowStore.version(flow.id, flow.draftVersion, transaction)
      try Publishing.require(request.revision, draftAt: version.revision)
      let definition = version.definition ?? FlowDefinition()
      let documents = try documents(in: definition, of: flow.studyID, transaction)
      try Publishing.refuse(FlowValidation.problems(in: definition, documents: documents))
      let study = try StudyStore.study(flow.studyID, transaction)
      if study.secondPerson, version.state == .draft {
        version.state = .awaitingApproval
        version.publishedBy = caller.actor
        try FlowStore.save(version, transaction)
        try transaction.note(Self.event(.approvalRequested, flow, version), by: caller)
        return PublishFlowResponse(version: version)
      }
      if version.state == .awaitingApproval {
        try Publishing.requireSecond(caller.actor, after: version.publishedBy, field: "flow_id", study: study.id)
        version.approvedBy = caller.actor
      } else {
        version.publishedBy = caller.actor
      }
      version.state = .published
      version.hash = try DocumentHashes.flow(definition).hex
      version.publishedAtMs = transaction.now.millisecondsSince1970
      flow.publishedVersion = version.version
      flow.draftVersion = 0
      try FlowStore.save(version, transaction)
      try FlowStore.save(flow, transaction)
      try transaction.note(Self.event(.versionPublished, flow, version), by: caller)
      return PublishFlowResponse(version: version)
    }
  }

  package func retireFlow(_ request: RetireFlowRequest, context: CallContext) async throws -> RetireFlowResponse {
    try await write(request, context) { transaction, caller in
      var flow = try FlowStore.flow(request.flowID, transaction)
      try caller.require([.publisher], study: flow.studyID)
      var version = try FlowStore.version(flow.id, request.version, transaction)
      guard version.state == .published else {
        let message = "version \(request.version) of '\(flow.id)' is \(version.state.wireName)"
        throw Refusal(.precondition, "not_published", field: "version", message)
      }
      version.state = .retired
      if flow.publishedVersion == version.version { flow.publishedVersion = 0 }
      try FlowStore.save(version, transaction)
      try FlowStore.save(flow, transaction)
      try transaction.note(Self.event(.versionRetired, flow, version), by: caller)
      return RetireFlowResponse(version: version)
    }
  }

  package func getFlow(_ request: GetFlowRequest, context: CallContext) async throws -> GetFlowResponse {
    try await read(context) { snapshot, caller in
      let flow = try FlowStore.flow(request.flowID, snapshot)
      try caller.requireEntry(to: flow.studyID)
      return GetFlowResponse(flow: flow, version: try FlowStore.version(orNewest: request.version, of: flow, snapshot))
    }
  }

  package func listFlows(_ request: ListFlowsRequest, context: CallContext) async throws -> ListFlowsResponse {
    try await read(context) { snapshot, caller in
      try caller.requireEntry(to: request.studyID)
      return ListFlowsResponse(flows: try FlowStore.flows(of: request.studyID, snapshot))
    }
  }

  /// Settings of the documents that a definition names, in the versions that a session would begin on now.
  func documents(
    in definition: FlowDefinition, of studyID: String, _ snapshot: Snapshot
  ) throws -> [String: DocumentSettings] {
    var found: [String: DocumentSettings] = [:]
    for id in definition.documentNames {
      guard let document = try DocumentStore.find(id, snapshot), document.studyID == studyID else { continue }
      let pinned = definition.documents.first { $0.documentID == id }?.version ?? 0
      let number = pinned == 0 ? document.publishedVersion : pinned
      guard number != 0 else { continue }
      guard try DocumentStore.state(id, number, snapshot) == .published else { continue }
      found[id] = try DocumentStore.version(id, number, snapshot).content?.settings ?? DocumentSettings()
    }
    return found
  }

  private static func event(_ kind: ConsentEventKind, _ flow: ConsentFlow, _ version: FlowVersion) -> ConsentEvent {
    ConsentEvent(
      kind: kind, studyID: flow.studyID, documentID: flow.id, version: version.version, hash: version.hash)
  }
}

extension FlowDefinition {
  /// The documents that its steps name.
  package var documentNames: [String] {
    var names: [String] = []
    for step in steps {
      let name: String =
        switch step.step {
        case .question(let step): step.documentID
        case .visual(let step): step.documentID
        case .sharing(let step): step.documentID
        case .review(let step): step.documentID
        default: ""
        }
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
