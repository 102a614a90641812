internal import Bus

/// A caller's relation to the subject whom a call concerns.
extension Caller {
  /// True for a person who works in the study and is neither the subject nor the subject's app.
  public func isStaff(study: String, site: String, subject: String) -> Bool {
    guard identity.subject != subject, identity.access != .device else { return false }
    return has(Role.staff, study: study, site: site)
  }

  /// Acting for a subject: the subject in person, the study's staff, or an app of the tenant that is not restricted to
  /// another study.
  public func requireParticipation(of subject: String, study: String, site: String) throws(Refusal) {
    if isUnbound || (identity.subject == subject && identity.access != .device) { return }
    if identity.access == .device {
      if identity.grants.isEmpty || grants.contains(where: { $0.isAt(study: study, site: site) }) { return }
    } else if has(Role.staff, study: study, site: site) {
      return
    }
    throw Self.denied(
      "'\(actor)' may not act for this subject at \(Self.place(study, site))", rule: "other_subject")
  }

  /// Whether reading personal data of the subject is recorded.
  ///
  /// People are recorded unless they read their own data. A device at which the subject takes part, and a service that
  /// does its work, are not people; a service that acts for a person carries that person's grants.
  public func isOnRecord(reading subject: String) -> Bool {
    guard identity.subject != subject else { return false }
    return switch identity.access {
    case .user, .admin: true
    case .service: !identity.grants.isEmpty
    case .device, .public: false
    }
  }
}
