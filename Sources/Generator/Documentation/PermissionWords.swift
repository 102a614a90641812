/// Permissions in words.
struct PermissionWords {
  let roles: OptionEnum
  let places: OptionEnum
  let relations: OptionEnum

  init(_ set: DescriptorSet) {
    roles = OptionEnum("assent.Permission.Role", in: set)
    places = OptionEnum("assent.Permission.Place", in: set)
    relations = OptionEnum("assent.Permission.Relation", in: set)
  }

  /// The conditions under which a role may call a method: `site, assigned`; empty if it never may.
  func conditions(of role: Int, in method: ServiceType.Method) throws(GeneratorError) -> String {
    var alternatives: [String] = []
    for permission in method.permissions where permission.roles.contains(role) {
      let conditions = try self.conditions(of: permission)
      alternatives.append(conditions.isEmpty ? "yes" : conditions)
    }
    return alternatives.joined(separator: "; ")
  }

  /// Everybody who may call a method: `participant (self); investigator, coordinator (site)`.
  func sentence(for method: ServiceType.Method) throws(GeneratorError) -> String {
    var parts: [String] = []
    for permission in method.permissions {
      var names: [String] = []
      for role in permission.roles { names.append(try roles.word(for: role)) }
      let conditions = try self.conditions(of: permission)
      parts.append(names.joined(separator: ", ") + (conditions.isEmpty ? "" : " (\(conditions))"))
    }
    return parts.joined(separator: "; ")
  }

  /// The roles of everybody who may call a method, each once: `participant, investigator`.
  func names(for method: ServiceType.Method) throws(GeneratorError) -> String {
    let admitted = Set(method.permissions.flatMap(\.roles))
    var names: [String] = []
    for role in admitted.sorted() { names.append(try roles.word(for: role)) }
    return names.joined(separator: ", ")
  }

  private func conditions(of permission: Permission) throws(GeneratorError) -> String {
    var words: [String] = []
    if permission.place != 0 { words.append(try places.word(for: permission.place)) }
    if permission.relation != 0 { words.append(try relations.word(for: permission.relation)) }
    return words.joined(separator: ", ")
  }
}
