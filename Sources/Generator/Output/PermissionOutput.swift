/// Writes a method's permissions as Swift.
enum PermissionOutput {
  /// The source text of the argument `permissions` of a method's descriptor.
  static func argument(for method: ServiceType.Method) throws(GeneratorError) -> String {
    guard !method.permissions.isEmpty else {
      throw GeneratorError("\(method.name) does not say whom it admits: add 'option (assent.allow) = …'")
    }
    var values: [String] = []
    for permission in method.permissions { values.append(try source(of: permission, in: method)) }
    return "permissions: [\(values.joined(separator: ", "))]"
  }

  private static func source(
    of permission: Permission, in method: ServiceType.Method
  ) throws(GeneratorError) -> String {
    let names = permission.roles.compactMap { roles[$0] }
    let place = places[permission.place]
    let relation = relations[permission.relation]
    let isKnown = names.count == permission.roles.count && place != nil && relation != nil
    guard isKnown, let place, let relation else {
      throw GeneratorError("\(method.name) has a permission with a role, place or relation that has no name in Swift")
    }
    let arguments = ["[\(names.joined(separator: ", "))]", place, relation].filter { !$0.isEmpty }
    return "MethodPermission(\(arguments.joined(separator: ", ")))"
  }

  /// The names of roles in Swift, by their numbers in proto/assent/options.proto; below, those of places and relations.
  private static let roles = [
    1: ".public", 2: ".participant", 3: ".guardian", 4: ".witness", 5: ".investigator", 6: ".coordinator",
    7: ".inspector", 8: ".publisher", 9: ".admin", 10: ".operator", 11: ".device", 12: ".service",
  ]
  private static let places = [0: "", 1: "at: .tenant", 2: "at: .study", 3: "at: .site"]
  private static let relations = [
    0: "", 1: "as: .itself", 2: "as: .guardianOf", 3: "as: .deviceOf", 4: "as: .assigned", 5: "as: .assisting",
  ]
}
