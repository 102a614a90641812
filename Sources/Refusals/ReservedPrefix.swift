/// Prefixes that no identifier of a person may have. Services use them for subjects that are no people but have sealed
/// data in the vault; a caller who could pass such a name off as a person's could hold or erase those data.
public enum ReservedPrefix: String, CaseIterable, Sendable {
  /// The name that people gave a device.
  case device = "device:"
  /// The caller that an API key stands for.
  case key = "key:"
  /// The profile of somebody who is about to get an account.
  case onboarding = "onboarding:"
  /// The secrets by which a tenant's clients prove themselves to OpenID providers.
  case provider = "provider:"
  /// The secret of a webhook.
  case webhook = "webhook:"

  /// The reserved prefix of an identifier; nil if it has none and may be a person's.
  public init?(of identifier: String) {
    guard let found = Self.allCases.first(where: { identifier.hasPrefix($0.rawValue) }) else { return nil }
    self = found
  }

  /// Refuses an identifier with a reserved prefix.
  ///
  /// - Parameter field: the request's field that holds the identifier.
  public static func check(_ identifier: String, field: String) throws(Refusal) {
    guard let prefix = ReservedPrefix(of: identifier) else { return }
    let message = "\(field) begins with '\(prefix.rawValue)', which services keep for what is no person"
    throw Refusal(.invalid, "prefix_reserved", field: field, message)
  }
}
