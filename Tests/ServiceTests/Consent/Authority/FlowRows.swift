import ConsentContract
import Wire

extension Row {
  static let flows: [Row] = [
    Row("FlowService/CreateFlow", study) { clients, target in
      try await clients.flows.createFlow(CreateFlowRequest(studyID: target.study, flowID: "no name"))
    },
    Row("FlowService/GetFlow", study) { clients, target in
      try await clients.flows.getFlow(GetFlowRequest(flowID: target.flow))
    },
    Row("FlowService/ListFlows", study) { clients, target in
      try await clients.flows.listFlows(ListFlowsRequest(studyID: target.study))
    },
    Row("FlowService/CreateFlowDraft", study) { clients, target in
      try await clients.flows.createFlowDraft(CreateFlowDraftRequest(flowID: target.flow))
    },
    Row("FlowService/UpdateFlowDraft", study) { clients, target in
      try await clients.flows.updateFlowDraft(UpdateFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/PublishFlowDraft", study) { clients, target in
      try await clients.flows.publishFlowDraft(PublishFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/DiscardFlowDraft", study) { clients, target in
      try await clients.flows.discardFlowDraft(DiscardFlowDraftRequest(flowID: target.flow, expectedRevision: 999))
    },
    Row("FlowService/StopFlowVersion", study) { clients, target in
      try await clients.flows.stopFlowVersion(StopFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/ReinstateFlowVersion", study) { clients, target in
      try await clients.flows.reinstateFlowVersion(ReinstateFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/GetFormCounts", study) { clients, target in
      try await clients.flows.getFormCounts(GetFormCountsRequest(flowID: target.flow))
    },
    Row("FlowService/RetireFlowVersion", study) { clients, target in
      try await clients.flows.retireFlowVersion(RetireFlowVersionRequest(flowID: target.flow, version: 999))
    },
    Row("FlowService/ValidateFlow", study) { clients, target in
      try await clients.flows.validateFlow(ValidateFlowRequest(studyID: target.study))
    },
  ]
}
