/// Prefixes that no new identifier of a person may have: services name things of their own so, and seal for them as for
/// people. Whoever could name such a thing as a person could hold or erase it. Earlier releases accepted such
/// identifiers.
public enum ReservedPrefix: String, CaseIterable, Sendable {
  /// What people call a device.
  case device = "device:"
  /// The holder of an API key.
  case key = "key:"
  /// The profile of somebody who is about to get an account.
  case onboarding = "onboarding:"
  /// The secret of a webhook.
  case webhook = "webhook:"

  /// The one that an identifier begins with; nil for those that may be people's.
  public init?(of identifier: String) {
    guard let found = Self.allCases.first(where: { identifier.hasPrefix($0.rawValue) }) else { return nil }
    self = found
  }

  /// Refuses what begins with one of them.
  ///
  /// - Parameter field: the field that has it.
  public static func check(_ identifier: String, field: String) throws(Refusal) {
    guard let prefix = ReservedPrefix(of: identifier) else { return }
    let message = "\(field) begins with '\(prefix.rawValue)', which services keep for what is no person"
    throw Refusal(.invalid, "prefix_reserved", field: field, message)
  }
}
