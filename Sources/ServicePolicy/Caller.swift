public import RPC
public import Storage

/// The caller of a method in a tenant, with the roles that the caller has there.
///
/// A handler first names what its call touches, and gets a `Caller` only if the caller is admitted to that.
public struct Caller: Sendable {
  public let tenant: Tenant
  let kind: CallerKind
  let grants: [Grant]
  private let subject: String
  /// The device that the call comes from; empty if unknown.
  public let device: String
  /// The accounts that were merged into the caller's. Looked up only if the call is about a person of another name.
  var formerNames: Set<String> = []

  package init(_ identity: CallerIdentity) throws(Refusal) {
    guard let tenant = Tenant(identity.tenant) else {
      throw Refusal(.denied, "no_tenant", "the caller's key belongs to no tenant; this call needs one that does")
    }
    self.tenant = tenant
    (kind, subject, device) = (identity.kind, identity.subject, identity.device)
    grants = identity.grants.compactMap(Grant.init)
  }

  private init(tenant: Tenant, subject: String) {
    (self.tenant, kind, self.subject, device, grants) = (tenant, .service, subject, "", [])
  }

  /// A caller that stands for the installation itself, for changes that no call has asked for.
  public static func installation(as name: String, in tenant: Tenant) -> Caller {
    Caller(tenant: tenant, subject: name)
  }

  /// The caller's name as events and rows record it.
  public var actor: String { subject.isEmpty ? "unnamed" : subject }

  /// Names the owner of the caller's idempotency keys and of what is remembered of the caller's questions. A person and
  /// a device of the same name are two owners: no person's identifier has a slash.
  package var keyHolder: String { isPerson ? actor : Self.keyHolder(kind, actor) }

  /// The owner of the call's idempotency key for a method whose keys may belong to the device instead of the caller.
  package func keyHolder(of owner: KeyOwner) -> String {
    switch owner {
    case .caller: keyHolder
    case .device: Self.keyHolder(.device, device)
    }
  }

  private static func keyHolder(_ kind: CallerKind, _ name: String) -> String { "\(kind.word)/\(name)" }

  /// Whether the caller has signed in, or is a program with an API key (see `isProgram`): no device and no service.
  public var isPerson: Bool { kind == .person && !subject.isEmpty }

  /// Whether another service of this installation calls.
  public var isService: Bool { kind == .service }

  /// Whether the caller is a program with an API key of its tenant. It can have the roles of a person but is nobody.
  /// Its name begins with `key:`, a prefix that no new person's identifier may have.
  public var isProgram: Bool { isPerson && ReservedPrefix(of: subject) == .key }

  /// Whether the caller is this person, by the account of the call or by one that was merged into it.
  public func stands(for subject: String?) -> Bool {
    guard let subject else { return false }
    return actor == subject || isPerson && formerNames.contains(subject)
  }

  /// Whether the caller is a device with nobody signed in.
  public var isDevice: Bool { kind == .device }

  /// Whether the caller has one of the roles for a study. It may decide what an answer contains, but not whether the
  /// call is admitted: only `Admission` decides that.
  public func has(_ roles: [Role], inStudy study: String) -> Bool {
    roles.contains { has($0, at: .study, for: .study(study)) }
  }

  /// Whether the caller administers the whole tenant. Like `has`, this does not decide whether a call is admitted.
  public var administersTenant: Bool { has(.admin, at: .tenant, for: .wholeTenant) }

  /// Whether the caller is investigator or coordinator where the touched person takes part, and is not that person.
  public func isStaff(for touched: AccessTarget) -> Bool { isStaff([.investigator, .coordinator], for: touched) }

  /// Whether the caller has one of these roles where the touched person takes part, and is not that person.
  public func isStaff(_ roles: [Role], for touched: AccessTarget) -> Bool {
    !stands(for: touched.subject) && roles.contains { has($0, at: .site, for: touched) }
  }

  func has(_ role: Role, at place: MethodPermission.Place, for touched: AccessTarget) -> Bool {
    guard isPerson, Role.granted.contains(role) else { return false }
    return grants.contains { $0.role == role.rawValue && $0.counts(at: place, for: touched) }
  }

  /// Whether the caller, a device, may be used for what is touched. A device whose key names places is bound to them;
  /// one whose key names none may be used anywhere in its tenant.
  func isDevice(at place: MethodPermission.Place, for touched: AccessTarget) -> Bool {
    grants.isEmpty
      || grants.contains { $0.role == Role.device.rawValue && $0.counts(at: place, for: touched) }
  }

  /// The only session whose data the caller reaches: a browser's that came by a link. nil for every other caller.
  public var session: String? {
    guard kind == .device else { return nil }
    return grants.first { $0.role == Grant.session }?.study
  }

  /// The only field that the caller reaches: a device's to which it is lent. nil for every other caller.
  public var field: String? {
    guard kind == .device else { return nil }
    return grants.first { $0.role == Grant.field }?.study
  }

  /// Whether an event records that the caller reads the subject's personal data: always, unless the caller is the
  /// subject.
  public func isOnRecord(reading subject: String) -> Bool {
    switch kind {
    case .person: !stands(for: subject)
    // The person of the session came by a link.
    case .device where session != nil: false
    case .device, .service, .operator, .stranger: true
    }
  }
}

/// Who owns the idempotency keys of a method: only calls of the same owner repeat each other.
public enum KeyOwner: Sendable {
  case caller
  /// The device that the call comes from, whether it presents its own credential or that of a person signed in there.
  case device
}
