public import Bus
public import Storage

/// The caller, their tenant, and what they may do where.
public struct Caller: Sendable {
  public let tenant: Tenant
  public let identity: CallerIdentity
  let grants: [Grant]

  public init(_ identity: CallerIdentity) throws(Refusal) {
    guard let tenant = Tenant(identity.tenant) else {
      throw Refusal(.denied, "no_tenant", "the caller's key belongs to no tenant; this call needs one that does")
    }
    self.tenant = tenant
    self.identity = identity
    grants = identity.grants.compactMap(Grant.init)
  }

  /// The name of the caller on record.
  public var actor: String { identity.subject.isEmpty ? "unnamed" : identity.subject }

  /// The device that the call comes from; empty if unknown.
  public var device: String { identity.device }

  /// An administrator of the tenant, or a service, not restricted to a study.
  public var isUnbound: Bool {
    identity.access == .service || (identity.access == .admin && grants.isEmpty)
      || grants.contains { $0.role == Role.admin.rawValue && $0.study == "*" }
  }

  /// True with one of the roles at the site or for the whole study.
  public func has(_ roles: [Role], study: String, site: String) -> Bool {
    isUnbound
      || grants.contains { grant in
        (grant.role == Role.admin.rawValue || roles.contains { $0.rawValue == grant.role })
          && grant.isAt(study: study, site: site)
      }
  }

  public func require(_ roles: [Role], study: String, site: String = "") throws(Refusal) {
    guard !has(roles, study: study, site: site) else { return }
    let wanted = roles.map(\.rawValue).joined(separator: " or ")
    throw Self.denied(
      "'\(actor)' has no role at \(Self.place(study, site)) that allows this; needed: \(wanted)")
  }

  /// For things that belong to no study yet: requires the role in any study.
  public func requireSomewhere(_ role: Role) throws(Refusal) {
    guard !isUnbound, !grants.contains(where: { $0.role == role.rawValue || $0.role == Role.admin.rawValue }) else {
      return
    }
    throw Self.denied("'\(actor)' has in no study a role that allows this; needed: \(role.rawValue)")
  }

  /// For things that concern the whole tenant: the caller must not be restricted to a study.
  public func requireUnbound() throws(Refusal) {
    guard !isUnbound else { return }
    throw Self.denied("'\(actor)' is bound to studies; this concerns the whole tenant")
  }

  /// True when the caller may see a study: an app that is not restricted to a study, or a person with any role in it.
  public func mayEnter(_ study: String) -> Bool {
    if isUnbound || (identity.access == .device && identity.grants.isEmpty) { return true }
    return grants.contains { $0.study == "*" || $0.study == study }
  }

  public func requireEntry(to study: String) throws(Refusal) {
    guard mayEnter(study) else { throw Self.denied("'\(actor)' has no role in study '\(study)'") }
  }

  static func denied(_ message: String, rule: String = "role_missing") -> Refusal {
    Refusal(.denied, rule, message)
  }

  static func place(_ study: String, _ site: String) -> String {
    if study.isEmpty { return "the level of the tenant" }
    return site.isEmpty ? "study '\(study)'" : "site '\(site)' of study '\(study)'"
  }
}
