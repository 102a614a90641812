/// Rules for the permissions that methods state, so that a slip of the pen admits nobody by mistake.
enum PermissionRules {
  /// Numbers of proto/assent/options.proto.
  private enum Role {
    static let `public` = 1
    static let participant = 2
    static let guardian = 3
    static let inspector = 7
    /// Roles that are granted to people for a place.
    static let granted = 4...9
    static let `operator` = 10
    static let service = 12
    static let all = 1...12
  }

  private enum Relation {
    static let itself = 1
    static let guardianOf = 2
  }

  static func violations(in service: ServiceType) -> [String] {
    service.methods.flatMap { method in
      let name = "\(service.fullName).\(method.name)"
      let nobody = method.permissions.isEmpty ? ["\(name): does not say whom it admits"] : []
      return nobody + method.permissions.flatMap { violations(in: $0, of: method).map { "\(name): \($0)" } }
    }
  }

  private static func violations(in permission: Permission, of method: ServiceType.Method) -> [String] {
    var found: [String] = []
    let roles = permission.roles
    if roles.isEmpty || !roles.allSatisfy(Role.all.contains) { found.append("has a permission without a role") }
    let isBare = permission.place == 0 && permission.relation == 0
    let unbound = [Role.public, Role.operator, Role.service]
    if !isBare, roles.contains(where: unbound.contains) {
      found.append("binds PUBLIC, OPERATOR or SERVICE to a place or a person, to which they are not bound")
    }
    if permission.place == 0, roles.contains(where: Role.granted.contains) {
      found.append("admits a role that is granted for a place without saying at which place")
    }
    if roles.contains(Role.participant), permission.relation != Relation.itself {
      found.append("admits participants to what is not their own")
    }
    if roles.contains(Role.guardian), ![Relation.itself, Relation.guardianOf].contains(permission.relation) {
      found.append("admits guardians of anybody")
    }
    // A reading that is recorded is IDEMPOTENT; a method without a stated level is a change.
    if roles.contains(Role.inspector), method.idempotencyLevel == 0 {
      found.append("admits inspectors, who change nothing, to a change")
    }
    return found
  }
}
