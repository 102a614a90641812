/// The caller as verified by the door that let the call in, never as claimed by the caller.
public struct CallerIdentity: Hashable, Sendable {
  /// What the caller may reach; compared with a method's access level.
  public var access: MethodDescriptor.Access
  /// The tenant whose data the call may touch; empty for services and for callers without credentials.
  public var tenant: String
  /// The name of the key or the subject of the token that was presented.
  public var subject: String
  /// The device that the call comes from, if known.
  public var device: String
  /// Roles granted by the key or token, each `role@study`, `role@study/site` or `role@*`.
  public var grants: [String]

  public init(
    access: MethodDescriptor.Access, tenant: String = "", subject: String = "", device: String = "",
    grants: [String] = []
  ) {
    self.access = access
    self.tenant = tenant
    self.subject = subject
    self.device = device
    self.grants = grants
  }

  /// A caller without credentials.
  public static let stranger = CallerIdentity(access: .public)
}
