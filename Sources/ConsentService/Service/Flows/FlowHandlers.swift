internal import Base
package import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// The handlers of FlowService.
struct FlowHandlers: FlowServiceProtocol {
  let data: ServiceDatabase
  let identifiers: IdentifierSource
  let markup: MarkupPool

  init(_ parts: ConsentParts) {
    data = parts.data
    identifiers = parts.identifiers
    markup = parts.markup
  }

  func getFlow(_ request: GetFlowRequest, context: CallContext) async throws -> GetFlowResponse {
    try await data.read(context, of: Self.flow(request.flowID)) { snapshot, caller, flow in
      guard caller.seesDrafts(study: flow.studyID) else {
        return GetFlowResponse(flow: flow, version: try FlowStore.shownVersion(request.version, of: flow, snapshot))
      }
      return GetFlowResponse(flow: flow, version: try FlowStore.version(orNewest: request.version, of: flow, snapshot))
    }
  }

  func listFlows(_ request: ListFlowsRequest, context: CallContext) async throws -> ListFlowsResponse {
    try await data.read(context, of: .study(request.studyID)) { snapshot, caller, _ in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let seesDrafts = caller.seesDrafts(study: request.studyID)
      let (flows, next) = try FlowStore.list(request.studyID, page, withPending: seesDrafts, snapshot)
      return ListFlowsResponse(flows: flows, nextPageToken: next)
    }
  }

  func validateFlow(_ request: ValidateFlowRequest, context: CallContext) async throws -> ValidateFlowResponse {
    try await data.read(context, of: .study(request.studyID)) { snapshot, _, _ in
      let problems = try Self.problems(in: request.definition ?? FlowDefinition(), of: request.studyID, snapshot)
      return ValidateFlowResponse(problems: problems)
    }
  }

  /// Finds the flow that a call is about.
  static func flow(_ id: String) -> ServiceDatabase.Lookup<ConsentFlow> {
    { snapshot, _ in try FlowStore.named(id, snapshot) }
  }

  /// The problems that prevent publishing a definition, with the documents in the versions on which a session would
  /// begin now.
  static func problems(
    in definition: FlowDefinition, of studyID: String, _ snapshot: Snapshot
  ) throws -> [Problem] {
    do throws(Refusal) { try AuthoringBounds.check(definition) } catch { return [Problem(error)] }
    let pinned = Dictionary(
      definition.documents.map { ($0.documentID, $0.version) }, uniquingKeysWith: { first, _ in first })
    var found: [String: DocumentSettings] = [:]
    for id in definition.documentNames {
      guard let document = try DocumentStore.find(id, snapshot), document.studyID == studyID else { continue }
      let wanted = pinned[id] ?? 0
      let number = wanted == 0 ? document.publishedVersion : wanted
      guard number != 0 else { continue }
      // The flow may name a version that does not exist.
      guard let version = try DocumentStore.find(number, of: document, snapshot), version.state == .published else {
        continue
      }
      found[id] = version.content?.settings ?? DocumentSettings()
    }
    let assets = try DocumentStore.knownAssets(in: definition, snapshot)
    let purposes = try StudyPurposes(of: studyID, snapshot).documents
    return FlowValidation.problems(in: definition, documents: found, assets: assets, purposes: purposes)
  }
}

extension FlowDefinition {
  /// The documents that its steps name.
  package var documentNames: [String] {
    var names: [String] = []
    var known: Set<String> = []
    for step in steps {
      let name: String =
        switch step.step {
        case .question(let step): step.documentID
        case .visual(let step): step.documentID
        case .sharing(let step): step.documentID
        case .review(let step): step.documentID
        default: ""
        }
      if !name.isEmpty, known.insert(name).inserted { names.append(name) }
    }
    return names
  }
}
