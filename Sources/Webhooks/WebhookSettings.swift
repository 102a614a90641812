internal import Base
internal import Outgoing
public import ServiceKit

/// The settings of webhooks. They have the same names in every service that has webhooks.
public struct WebhookSettings: SettingGroup {
  public let allow = Setting(
    "webhook-allow", default: [NetworkSetting](),
    "private networks that webhooks may reach besides the public internet, such as 10.1.0.0/16")
  public let plainText = Setting(
    "webhook-plain-text", default: false, "whether webhooks may also have addresses with http://, without TLS")
  public let certificates = Setting<String?>(
    "webhook-certificates", default: nil, shown: "FILE",
    "the root certificates in PEM that are trusted for receivers of webhooks, instead of the system's")
  public let timeout = Setting(
    "webhook-timeout", default: Duration.seconds(15), in: .seconds(1) ... .seconds(60),
    "how long the receiver of a webhook may take to answer")
  public let firstPause = Setting(
    "webhook-first-pause", default: Duration.seconds(5), in: .milliseconds(100) ... .seconds(3600),
    "the pause after a webhook's first failure; each later one is four times as long, up to 12 hours")
  public let retriesFor = Setting(
    "webhook-retry-for", default: Duration.seconds(3 * 86_400), in: .seconds(1) ... .seconds(30 * 86_400),
    "how long an event is sent again to a webhook that does not accept it, before it is parked")

  public init() {}
}

extension Settings<WebhookSettings> {
  public var policy: WebhookPolicy {
    let reach = OutgoingPolicy.Reach.publicAddresses(and: self[\.allow].map(\.range))
    var policy = WebhookPolicy(
      OutgoingPolicy(reach, allowsPlainText: self[\.plainText], certificates: self[\.certificates]))
    policy.timeout = self[\.timeout]
    policy.firstPause = self[\.firstPause]
    policy.retriesFor = self[\.retriesFor]
    return policy
  }
}
