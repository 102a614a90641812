import RPC
import Testing

@Suite struct RoleSetTests {
  @Test("a set has the roles that it was made of and no other", arguments: MethodPermission.Role.allCases)
  func contains(role: MethodPermission.Role) {
    let others = MethodPermission.Role.allCases.filter { $0 != role }
    #expect(RoleSet([role]).words == [role.rawValue])
    #expect(RoleSet([role, role]) == [role])
    #expect(!RoleSet(others).contains(role))
    #expect(RoleSet(others).words == others.map(\.rawValue).sorted())
    for other in others { #expect(RoleSet([role, other]) != [role]) }
  }
}
