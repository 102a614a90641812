import ConsentContract
import Wire

extension Row {
  static let webhooks: [Row] = [
    Row("WebhookService/CreateWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.createWebhook(CreateWebhookRequest())
    },
    Row("WebhookService/ListWebhooks", wholeTenant) { clients, _ in
      try await clients.webhooks.listWebhooks(ListWebhooksRequest())
    },
    Row("WebhookService/UpdateWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.updateWebhook(UpdateWebhookRequest())
    },
    Row("WebhookService/DeleteWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.deleteWebhook(DeleteWebhookRequest(webhookID: "none"))
    },
    Row("WebhookService/RotateWebhookSecret", wholeTenant) { clients, _ in
      try await clients.webhooks.rotateWebhookSecret(RotateWebhookSecretRequest(webhookID: "none"))
    },
    Row("WebhookService/TestWebhook", wholeTenant) { clients, _ in
      try await clients.webhooks.testWebhook(TestWebhookRequest(webhookID: "none"))
    },
    Row("WebhookService/ListWebhookDeliveries", wholeTenant) { clients, _ in
      try await clients.webhooks.listWebhookDeliveries(ListWebhookDeliveriesRequest(webhookID: "none"))
    },
    Row("WebhookService/ResendWebhookDeliveries", wholeTenant) { clients, _ in
      try await clients.webhooks.resendWebhookDeliveries(ResendWebhookDeliveriesRequest(webhookID: "none"))
    },
  ]
}
