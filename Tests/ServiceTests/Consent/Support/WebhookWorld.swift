import Base
import ConsentContract
import ConsentService
import Outgoing
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Webhooks
import Wire

/// Webhooks through a service on a real database, to a real receiver; only the calendar is moved by hand.
enum WebhookWorld {
  static var policy: WebhookPolicy {
    var policy = WebhookPolicy(OutgoingPolicy(.anywhere, allowsPlainText: true))
    policy.interval = .milliseconds(20)
    policy.timeout = .seconds(8)
    return policy
  }

  static func run(
    _ engine: TestEngine, sending: Bool = true, policy: WebhookPolicy = Self.policy,
    _ body: (World, WebhookReceiver) async throws -> Void
  ) async throws {
    let world = try await World(engine, webhooks: policy)
    let receiver = try await WebhookReceiver.start()
    if sending {
      try await Self.sending(world.services.webhooks()) { try await body(world, receiver) }
    } else {
      try await body(world, receiver)
    }
    await world.end()
  }

  /// Sends for as long as something takes.
  static func sending(_ sender: WebhookSender, _ body: () async throws -> Void) async throws {
    let running = Task { await sender.run() }
    try await body()
    running.cancel()
    await running.value
  }
}

/// What an administrator does who has webhooks.
extension World {
  func makeStudy(_ id: String) async throws {
    _ = try await admin.studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: id, name: id)))
  }

  func renameStudy(_ id: String, _ name: String) async throws {
    _ = try await admin.studies.updateStudy(UpdateStudyRequest(study: ConsentStudy(studyID: id, name: name)))
  }

  func hook(
    _ url: String, study: String = "", kinds: [String] = ["consent.study_changed"]
  ) async throws -> CreateWebhookResponse {
    try await admin.webhooks.createWebhook(
      CreateWebhookRequest(webhook: Webhook(studyID: study, url: url, kinds: kinds)))
  }

  func deliveries(_ webhookID: String) async throws -> [WebhookDelivery] {
    try await admin.webhooks.listWebhookDeliveries(ListWebhookDeliveriesRequest(webhookID: webhookID)).deliveries
  }

  func webhookStatus(_ webhookID: String) async throws -> ConsentContract.WebhookStatus? {
    let webhooks = try await admin.webhooks.listWebhooks(ListWebhooksRequest()).webhooks
    return webhooks.first { $0.webhookID == webhookID }?.status
  }
}
