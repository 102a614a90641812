package import RPC

/// The part of access control that needs to know only caller and method, and not the data that a call touches: a
/// gateway checks it for every call.
extension CallerIdentity {
  /// Whether the caller may have one of the method's roles at some place. Whether that place covers the data of the
  /// call is for the service to decide.
  package func isAdmitted(to method: MethodDescriptor) -> Bool {
    let roles = method.roles
    if roles.contains(.public) { return true }
    return switch kind {
    case .stranger: false
    case .device: roles.contains(.device)
    case .service: roles.contains(.service)
    case .operator: roles.contains(.operator)
    // Any person may be a participant or a guardian: only the services have that on record. A grant never gives a
    // person a role that only keys have, such as service.
    case .person:
      roles.contains(.participant) || roles.contains(.guardian)
        || grants.contains { grant in
          guard let at = grant.firstIndex(of: "@"), let role = MethodPermission.Role(rawValue: String(grant[..<at]))
          else { return false }
          return MethodPermission.Role.granted.contains(role) && roles.contains(role)
        }
    }
  }

  /// Why the caller may not call the method, whatever data the call touches; nil if the caller may, or if that depends
  /// on the data.
  package func denial(of method: MethodDescriptor) -> Status? { isAdmitted(to: method) ? nil : refusal(of: method) }

  /// What a caller is told who is not admitted to the method. Making this text costs far more than `isAdmitted`.
  package func refusal(of method: MethodDescriptor) -> Status {
    let admitted = method.roles.words.joined(separator: ", ")
    return Status(
      kind == .stranger ? .unauthenticated : .permissionDenied,
      rule: "not_admitted",
      "\(method.path) admits \(admitted.isEmpty ? "nobody" : admitted); the caller is \(kind.phrase) "
        + "without such a role")
  }
}
