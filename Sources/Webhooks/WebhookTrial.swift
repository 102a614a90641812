public import Base
internal import Outgoing
internal import ServicePolicy
internal import Storage

/// A test message that an administrator sends to see how a receiver answers.
public struct WebhookTrial: Sendable {
  private let webhook: StoredWebhook
  private let secrets: WebhookSecrets
  private let message: WebhookMessage

  /// How the receiver answered.
  public struct Result: Hashable, Sendable {
    public let isAccepted: Bool
    public let status: Int
    public let failure: String
    public let took: Duration
  }

  /// Reads from the database what the message needs.
  init(of id: String, _ webhooks: WebhookRegister, _ snapshot: Snapshot) throws {
    webhook = try webhooks.webhook(id, snapshot)
    guard let secrets = try WebhookSecrets(of: id, snapshot) else {
      throw Refusal.notFound("webhook", id, field: "webhook_id")
    }
    self.secrets = secrets
    message = WebhookMessage(
      testOf: id, named: Hex.encode(webhooks.randomness.bytes(16)), at: snapshot.now, webhooks.source.service,
      snapshot.tenant)
  }

  /// Sends the message. Cancelling the task ends the request.
  public func run(_ webhooks: WebhookRegister, _ clock: Clock) async -> Result {
    let client = OutgoingClient(webhooks.policy.outgoing, width: 1)
    let start = clock.monotonic
    let outcome = await client.deliver(
      message, to: webhook.url, secrets, at: clock.now, within: webhooks.policy.timeout)
    let took = clock.monotonic - start
    switch outcome {
    case .accepted(let status): return Result(isAccepted: true, status: status, failure: "", took: took)
    case .failed(let status, let failure, _, _, _):
      return Result(isAccepted: false, status: status, failure: failure, took: took)
    case .cancelled:
      return Result(isAccepted: false, status: 0, failure: "the call ended before the receiver answered", took: took)
    }
  }
}
