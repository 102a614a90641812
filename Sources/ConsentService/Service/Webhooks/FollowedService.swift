internal import AccountContract
internal import ConsentDomain
internal import ServicePolicy
internal import Webhooks

/// Another service whose changes webhooks get. While a webhook wants them, they are copied into this service's log, so
/// that one sender sends all, in one order.
package enum FollowedService: String, CaseIterable, Sendable {
  case account, signature

  /// The kinds of its events that are sent: all but readings, denied attempts, and the touch that wakes a field.
  var kinds: [String] {
    switch self {
    case .account:
      AccountEventKind.allCases.filter { ![.unspecified, .personalDataRead, .accessDenied].contains($0) }
        .map { "account.\($0.word)" }
    case .signature:
      ["created", "saved.drawn", "saved.typed", "saved.uploaded", "cleared", "cancelled", "re_entered", "completed"]
        .map { "signature.field_\($0)" } + ["signature.field_erased"]
    }
  }

  /// Whether a webhook may get any of its events. Those of accounts belong to no study.
  func isWanted(by webhook: StoredWebhook) -> Bool {
    (self == .signature || webhook.studyID.isEmpty) && webhook.wants(anyOf: kinds)
  }
}
