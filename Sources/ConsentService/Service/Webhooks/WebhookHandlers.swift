internal import Base
internal import ConsentContract
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Webhooks
internal import Wire

/// Webhooks: made, changed, tried and deleted by a tenant's administrators.
struct WebhookHandlers: WebhookServiceProtocol {
  private let data: ServiceDatabase
  private let webhooks: WebhookRegister
  private let clock: Clock

  init(_ parts: ConsentParts) {
    data = parts.data
    webhooks = parts.webhooks
    clock = parts.clock
  }

  func createWebhook(_ request: CreateWebhookRequest, context: CallContext) async throws -> CreateWebhookResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let wanted = request.webhook ?? Webhook()
      if !wanted.studyID.isEmpty { _ = try StudyStore.study(wanted.studyID, transaction) }
      let (webhook, secret) = try webhooks.create(
        studyID: wanted.studyID, url: wanted.url, kinds: wanted.kinds, isDisabled: wanted.disabled, by: caller.actor,
        transaction)
      return CreateWebhookResponse(webhook: try message(webhook, transaction), secret: secret)
    }
  }

  func listWebhooks(_ request: ListWebhooksRequest, context: CallContext) async throws -> ListWebhooksResponse {
    try await data.read(context, of: .wholeTenant) { snapshot, _, _ in
      let listed = try webhooks.list(snapshot).filter {
        request.studyID.isEmpty || $0.webhook.studyID == request.studyID
      }
      return ListWebhooksResponse(
        webhooks: listed.map { Webhook($0.webhook, $0.status) }, kinds: webhooks.source.kinds)
    }
  }

  func updateWebhook(_ request: UpdateWebhookRequest, context: CallContext) async throws -> UpdateWebhookResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let wanted = request.webhook ?? Webhook()
      let webhook = try webhooks.update(
        wanted.webhookID, url: wanted.url, kinds: wanted.kinds, isDisabled: wanted.disabled, by: caller.actor,
        transaction)
      return UpdateWebhookResponse(webhook: try message(webhook, transaction))
    }
  }

  func deleteWebhook(_ request: DeleteWebhookRequest, context: CallContext) async throws -> DeleteWebhookResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      try webhooks.delete(request.webhookID, by: caller.actor, transaction)
      return DeleteWebhookResponse()
    }
  }

  func rotateWebhookSecret(
    _ request: RotateWebhookSecretRequest, context: CallContext
  ) async throws -> RotateWebhookSecretResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      RotateWebhookSecretResponse(
        secret: try webhooks.rotateSecret(
          of: request.webhookID, droppingEarlier: request.dropEarlier, by: caller.actor, transaction))
    }
  }

  func testWebhook(_ request: TestWebhookRequest, context: CallContext) async throws -> TestWebhookResponse {
    let trial = try await data.change(context, of: { _, _ in AccessTarget.wholeTenant }) { transaction, _, _ in
      try webhooks.trial(of: request.webhookID, transaction)
    }
    let result = await trial.run(webhooks, clock)
    return TestWebhookResponse(
      accepted: result.isAccepted, httpStatus: Int32(result.status), failure: result.failure,
      took: ProtobufDuration(.milliseconds(result.took.wholeMilliseconds)))
  }

  func listWebhookDeliveries(
    _ request: ListWebhookDeliveriesRequest, context: CallContext
  ) async throws -> ListWebhookDeliveriesResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let touched = AccessTarget.wholeTenant
    return try await data.disclose(context, of: { _, _ in touched }) { snapshot, _, disclosure in
      let (found, next) = try webhooks.deliveries(
        to: request.webhookID, parkedOnly: request.parked, page, snapshot)
      let deliveries = found.map { WebhookDelivery($0) }
      // Deliveries reveal as much about people as a list of events does.
      if deliveries.contains(where: { !$0.subjectID.isEmpty }) {
        disclosure.noteLook(at: "webhook/\(request.webhookID)", of: touched, for: "list of deliveries")
      }
      return ListWebhookDeliveriesResponse(deliveries: deliveries, nextPageToken: next)
    }
  }

  func resendWebhookDeliveries(
    _ request: ResendWebhookDeliveriesRequest, context: CallContext
  ) async throws -> ResendWebhookDeliveriesResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      let count = try webhooks.resend(
        request.sequences, to: request.webhookID, givingUp: request.giveUp, by: caller.actor, transaction)
      return ResendWebhookDeliveriesResponse(count: Int32(count))
    }
  }

  private func message(_ webhook: StoredWebhook, _ snapshot: Snapshot) throws -> Webhook {
    Webhook(webhook, try webhooks.status(of: webhook.id, snapshot))
  }
}
