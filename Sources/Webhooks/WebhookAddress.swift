internal import Base
internal import Outgoing
internal import ServicePolicy

/// The rules for a webhook's address. A host's name is resolved only when a request is made, so only then can an
/// address behind a name turn out not to be allowed.
enum WebhookAddress {
  static let mostBytes = 2000

  static func check(_ url: String, _ policy: OutgoingPolicy) throws(Refusal) {
    func refuse(_ rule: String, _ message: String) -> Refusal {
      Refusal(.invalid, rule, field: "webhook.url", "webhook.url \(message)")
    }
    guard (1...mostBytes).contains(url.utf8.count) else {
      throw refuse("url_out_of_bounds", "has \(url.utf8.count) bytes; it must have 1 to \(mostBytes)")
    }
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("#"), !url.contains("\\") else {
      throw refuse("bad_url", "has a space, a '#', a '\\' or a character beyond ASCII; write those as %XX")
    }
    let schemes = policy.allowsPlainText ? ["https://", "http://"] : ["https://"]
    guard let scheme = schemes.first(where: { url.lowercased().hasPrefix($0) }) else {
      throw refuse("bad_url", "must begin with \(schemes.joined(separator: " or "))")
    }
    let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else {
      throw refuse("bad_url", "names a user; a receiver knows its messages by their signatures")
    }
    let host = host(of: authority)
    guard !host.isEmpty else { throw refuse("bad_url", "names no host") }
    if let address = NetworkAddress(text: String(host)), !policy.reach.admits(address) {
      throw refuse("address_not_allowed", "leads to \(host), where this installation sends nothing (webhook-allow)")
    }
  }

  private static func host(of authority: Substring) -> Substring {
    if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" } }
    return authority.prefix { $0 != ":" }
  }
}
