public import RPC
public import Storage

/// The caller of a method in a tenant, and what they may.
///
/// Handlers get one only together with what they have named as touched by their call, once it is open to the caller.
public struct Caller: Sendable {
  public let tenant: Tenant
  let kind: CallerKind
  let grants: [Grant]
  private let subject: String
  /// The device that the call comes from; empty if unknown.
  public let device: String
  /// The accounts that were merged into the caller's, of those that the call is about.
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

  /// The installation itself, for changes that no call has asked for.
  public static func installation(as name: String, in tenant: Tenant) -> Caller {
    Caller(tenant: tenant, subject: name)
  }

  /// The name of the caller on record.
  public var actor: String { subject.isEmpty ? "unnamed" : subject }

  /// Names the owner of the caller's idempotency keys: a person and a device of the same name are two owners.
  var keyHolder: String { isPerson ? actor : "\(kind):\(actor)" }

  /// The same for a method whose keys may be another's.
  func keyHolder(of owner: KeyOwner) -> String {
    switch owner {
    case .caller: keyHolder
    case .device: "\(CallerKind.device):\(device)"
    }
  }

  /// Whether the caller is somebody who has signed in, and no device and no service.
  public var isPerson: Bool { kind == .person && !subject.isEmpty }

  /// Whether the caller is a program with an API key of its tenant: it has the roles of a person and is nobody. No
  /// person's name begins like this.
  public var isProgram: Bool { isPerson && ReservedPrefix(of: subject) == .key }

  /// Whether the caller is this person, by the account of the call or by one that was merged into it.
  public func stands(for subject: String?) -> Bool {
    guard let subject else { return false }
    return actor == subject || isPerson && formerNames.contains(subject)
  }

  /// Whether the caller is a device with nobody signed in.
  public var isDevice: Bool { kind == .device }

  /// Whether the caller has one of the roles for a study: for what an answer contains, never for whether there is one.
  public func has(_ roles: [Role], inStudy study: String) -> Bool {
    roles.contains { has($0, at: .study, for: .study(study)) }
  }

  /// Whether the caller administers the whole tenant: for what an answer contains, like the roles above.
  public var administersTenant: Bool { has(.admin, at: .tenant, for: .wholeTenant) }

  /// Whether the caller works for a study where the person takes part, as investigator or coordinator, and is not that
  /// person.
  public func isStaff(for touched: Touched) -> Bool { isStaff([.investigator, .coordinator], for: touched) }

  /// The same with one of the roles.
  public func isStaff(_ roles: [Role], for touched: Touched) -> Bool {
    !stands(for: touched.subject) && roles.contains { has($0, at: .site, for: touched) }
  }

  func has(_ role: Role, at place: MethodPermission.Place, for touched: Touched) -> Bool {
    guard isPerson, Role.granted.contains(role) else { return false }
    return grants.contains { $0.role == role.rawValue && $0.counts(at: place, for: touched) }
  }

  /// A device whose key names places is bound to them; one whose key names none may be anywhere in its tenant.
  func isDevice(at place: MethodPermission.Place, for touched: Touched) -> Bool {
    grants.isEmpty
      || grants.contains { $0.role == Role.device.rawValue && $0.counts(at: place, for: touched) }
  }

  /// Whether reading personal data of the subject is recorded: by whatever key, unless it is the subject's own reading.
  public func isOnRecord(reading subject: String) -> Bool {
    switch kind {
    case .person: !stands(for: subject)
    case .device, .service, .operator, .stranger: true
    }
  }
}

/// Whose the idempotency keys of a method are.
public enum KeyOwner: Sendable {
  case caller
  /// The device that the call comes from, by whichever credential: its own, or a person's who has signed in there.
  case device
}
