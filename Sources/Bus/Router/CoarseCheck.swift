package import RPC

/// What a gateway can tell of a caller without knowing what a call touches.
extension CallerIdentity {
  /// Why the caller may not call the method, whatever that touches; nil unless this is sure.
  package func denial(of method: MethodDescriptor) -> Status? {
    guard !mayHaveRole(in: method.roles) else { return nil }
    let admitted = method.roles.words.joined(separator: ", ")
    return Status(
      kind == .stranger ? .unauthenticated : .permissionDenied,
      rule: "not_admitted",
      "\(method.path) admits \(admitted.isEmpty ? "nobody" : admitted); the caller is \(kind.phrase) "
        + "without such a role")
  }

  /// Whether the caller may have one of the roles at all. Whether it counts for what the call touches, the service
  /// decides.
  private func mayHaveRole(in roles: RoleSet) -> Bool {
    if roles.contains(.public) { return true }
    return switch kind {
    case .stranger: false
    case .device: roles.contains(.device)
    case .service: roles.contains(.service)
    case .operator: roles.contains(.operator)
    // Anybody may be a participant or a guardian: that is on record in the services. No grant makes a person what only
    // a key can be, such as a service.
    case .person:
      roles.contains(.participant) || roles.contains(.guardian)
        || grants.contains { grant in
          guard let at = grant.firstIndex(of: "@"), let role = MethodPermission.Role(rawValue: String(grant[..<at]))
          else { return false }
          return MethodPermission.Role.granted.contains(role) && roles.contains(role)
        }
    }
  }
}
