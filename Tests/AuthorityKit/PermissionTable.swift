internal import Base
internal import Generator
internal import TestSupport

/// The options `assent.allow` as this test reads them: from the descriptor set that protoc wrote, by their numbers, and
/// not by what was generated for the services.
package struct PermissionTable {
  package struct Rule: Sendable {
    package let roles: [String]
    package let place: String
    package let relation: String
  }

  /// By `Service/Method`.
  package let rules: [String: [Rule]]

  package init() throws {
    let set = try DescriptorSet(decoding: try Files.read(Repository.path("proto/assent.binpb")))
    let roles = try Self.names("assent.Permission.Role", in: set)
    let places = try Self.names("assent.Permission.Place", in: set)
    let relations = try Self.names("assent.Permission.Relation", in: set)
    var rules: [String: [Rule]] = [:]
    for service in set.files.flatMap(\.services) {
      for method in service.methods {
        rules["\(service.name)/\(method.name)"] = method.permissions.map { permission in
          Rule(
            roles: permission.roles.map { roles[$0] ?? "?" }, place: places[permission.place] ?? "",
            relation: relations[permission.relation] ?? "")
        }
      }
    }
    self.rules = rules
  }

  /// The names of an enum's values by their numbers, without 0.
  private static func names(_ name: String, in set: DescriptorSet) throws -> [Int: String] {
    let nested = set.files.flatMap(\.messages).flatMap(\.enums)
    let values = nested.first { $0.fullName == name }?.values ?? []
    return Dictionary(uniqueKeysWithValues: values.filter { $0.number != 0 }.map { ($0.number, $0.name) })
  }
}
