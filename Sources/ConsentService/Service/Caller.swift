package import Bus
internal import ConsentContract
package import Storage

/// A person's role in a study. Roles come with the caller's verified identity.
package enum Role: String, Sendable {
  case participant, guardian, witness, investigator, coordinator, inspector, publisher, admin

  /// Roles of people who work in a study rather than take part in it.
  static let staff: [Role] = [.witness, .investigator, .coordinator, .inspector, .publisher]
  /// Roles that may read what is on record.
  static let readers: [Role] = [.investigator, .coordinator, .inspector]

  init?(_ role: SignerRole) {
    switch role {
    case .participant: self = .participant
    case .guardian: self = .guardian
    case .witness: self = .witness
    case .investigator: self = .investigator
    case .unspecified, .unrecognized: return nil
    }
  }
}

/// The caller, and what they may do where.
package struct Caller: Sendable {
  package let tenant: Tenant
  package let identity: CallerIdentity
  private let grants: [Grant]

  private struct Grant: Sendable {
    let role: String
    let study: String
    let site: String
  }

  package init(_ identity: CallerIdentity) throws(Refusal) {
    guard let tenant = Tenant(identity.tenant) else {
      throw Refusal(.denied, "no_tenant", "the caller's key belongs to no tenant; this call needs one that does")
    }
    self.tenant = tenant
    self.identity = identity
    grants = identity.grants.compactMap { text in
      let parts = text.split(separator: "@", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let place = parts[1].split(separator: "/", maxSplits: 1).map(String.init)
      return Grant(role: String(parts[0]), study: place[0], site: place.count > 1 ? place[1] : "")
    }
  }

  /// The name of the caller on record.
  package var actor: String { identity.subject.isEmpty ? "unnamed" : identity.subject }

  /// An administrator of the tenant, or a service, not restricted to a study.
  package var isUnbound: Bool {
    identity.access == .service || (identity.access == .admin && grants.isEmpty)
      || grants.contains { $0.role == "admin" && $0.study == "*" }
  }

  /// True with one of the roles at the site or for the whole study.
  package func has(_ roles: [Role], study: String, site: String) -> Bool {
    isUnbound
      || grants.contains { grant in
        (grant.role == Role.admin.rawValue || roles.contains { $0.rawValue == grant.role })
          && (grant.study == "*" || grant.study == study) && (grant.site.isEmpty || grant.site == site)
      }
  }

  package func require(_ roles: [Role], study: String, site: String = "") throws(Refusal) {
    guard !has(roles, study: study, site: site) else { return }
    let place = site.isEmpty ? "study '\(study)'" : "site '\(site)' of study '\(study)'"
    let wanted = roles.map(\.rawValue).joined(separator: " or ")
    throw Refusal(.denied, "role_missing", "'\(actor)' has no role at \(place) that allows this; needed: \(wanted)")
  }

  /// For things that belong to no study yet: requires the role in any study.
  package func requireSomewhere(_ role: Role) throws(Refusal) {
    guard !isUnbound, !grants.contains(where: { $0.role == role.rawValue || $0.role == Role.admin.rawValue }) else {
      return
    }
    throw Refusal(
      .denied, "role_missing", "'\(actor)' has in no study a role that allows this; needed: \(role.rawValue)")
  }

  /// For things that concern the whole tenant: the caller must not be restricted to a study.
  package func requireUnbound() throws(Refusal) {
    guard !isUnbound else { return }
    throw Refusal(.denied, "role_missing", "'\(actor)' is bound to studies; this concerns the whole tenant")
  }

  /// True for a person who works in the study and is neither the subject nor the subject's app.
  package func isStaff(study: String, site: String, subject: String) -> Bool {
    guard identity.subject != subject, identity.access != .device else { return false }
    return has(Role.staff, study: study, site: site)
  }

  /// Acting for a subject: the subject in person, the study's staff, or an app of the tenant that is not restricted to
  /// another study.
  package func requireParticipation(of subject: String, study: String, site: String) throws(Refusal) {
    if isUnbound || (identity.subject == subject && identity.access != .device) { return }
    if identity.access == .device {
      let isBound = !grants.isEmpty
      let isHere = grants.contains { grant in
        (grant.study == "*" || grant.study == study) && (grant.site.isEmpty || grant.site == site)
      }
      if !isBound || isHere { return }
    } else if has(Role.staff, study: study, site: site) {
      return
    }
    let place = site.isEmpty ? "study '\(study)'" : "site '\(site)' of study '\(study)'"
    throw Refusal(.denied, "other_subject", "'\(actor)' may not act for this subject at \(place)")
  }
}

extension Caller {
  /// True when the caller may see a study: an app that is not restricted to a study, or a person with any role in it.
  func mayEnter(_ study: String) -> Bool {
    if isUnbound || (identity.access == .device && identity.grants.isEmpty) { return true }
    return identity.grants.contains { grant in
      let place = grant.split(separator: "@", maxSplits: 1).last ?? ""
      return place == "*" || place == study || place.hasPrefix("\(study)/")
    }
  }

  func requireEntry(to study: String) throws(Refusal) {
    guard mayEnter(study) else {
      throw Refusal(.denied, "role_missing", "'\(actor)' has no role in study '\(study)'")
    }
  }

  /// Only authors and reviewers see right answers.
  func seesAnswers(study: String) -> Bool {
    identity.access != .device && has([.publisher, .inspector], study: study, site: "")
  }
}
