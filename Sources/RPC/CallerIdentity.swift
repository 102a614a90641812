/// The caller as verified by the door that let the call in, never as claimed by the caller.
public struct CallerIdentity: Hashable, Sendable {
  /// What kind of credentials were shown.
  public var kind: CallerKind
  /// The tenant whose data the call may touch; empty for operators, for services that work in no tenant, and for
  /// callers without credentials.
  public var tenant: String
  /// The name of the key or the subject of the token that was presented.
  public var subject: String
  /// The device that the call comes from, if known.
  public var device: String
  /// Roles granted by the key or token, each `role@study`, `role@study/site` or `role@*`.
  public var grants: [String]

  public init(
    kind: CallerKind, tenant: String = "", subject: String = "", device: String = "",
    grants: [String] = []
  ) {
    self.kind = kind
    self.tenant = tenant
    self.subject = subject
    self.device = device
    self.grants = grants
  }

  /// A caller without credentials.
  public static let stranger = CallerIdentity(kind: .stranger)
}
