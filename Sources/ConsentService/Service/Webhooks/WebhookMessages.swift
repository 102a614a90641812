internal import ConsentContract
internal import Webhooks
internal import Wire

// Converts stored webhooks to the contract's messages.

extension Webhook {
  init(_ webhook: StoredWebhook, _ status: SendingProgress) {
    self.init(
      webhookID: webhook.id, studyID: webhook.studyID, url: webhook.url, kinds: webhook.kinds,
      disabled: webhook.isDisabled, createdBy: webhook.createdBy, createdAt: Timestamp(webhook.createdAt),
      status: WebhookStatus(
        position: status.position, lastEvent: status.lastEvent, waiting: Int32(clamping: status.waiting),
        parked: Int32(clamping: status.parked), deliveredAt: status.deliveredAt.map { Timestamp($0) },
        failingSince: status.failingSince.map { Timestamp($0) }, failure: status.failure,
        nextTryAt: status.nextTryAt.map { Timestamp($0) }))
  }
}

extension WebhookDelivery {
  init(_ delivery: Delivery) {
    let state: DeliveryState =
      switch delivery.state {
      case .waiting: .waiting
      case .behind: .behind
      case .parked: .parked
      }
    self.init(
      sequence: delivery.sequence, messageID: delivery.messageID, kind: delivery.notice?.kind ?? "",
      subjectID: delivery.notice?.subjectID ?? "", state: state, attempts: Int32(clamping: delivery.attempts),
      nextTryAt: delivery.nextTryAt.map { Timestamp($0) }, failure: delivery.failure,
      parkedAt: delivery.parkedAt.map { Timestamp($0) })
  }
}
