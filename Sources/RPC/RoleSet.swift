/// A set of roles, as a bit mask because gateways look into one for each call.
public struct RoleSet: Hashable, Sendable {
  private var bits: UInt16 = 0

  public init(_ roles: some Sequence<MethodPermission.Role>) {
    for role in roles { bits |= role.bit }
  }

  public func contains(_ role: MethodPermission.Role) -> Bool { bits & role.bit != 0 }

  /// The words of the roles, in alphabetical order.
  public var words: [String] { MethodPermission.Role.allCases.filter(contains).map(\.rawValue).sorted() }
}

extension RoleSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral roles: MethodPermission.Role...) { self.init(roles) }
}

extension MethodPermission.Role {
  fileprivate var bit: UInt16 {
    switch self {
    case .public: 1 << 0
    case .participant: 1 << 1
    case .guardian: 1 << 2
    case .witness: 1 << 3
    case .investigator: 1 << 4
    case .coordinator: 1 << 5
    case .inspector: 1 << 6
    case .publisher: 1 << 7
    case .admin: 1 << 8
    case .operator: 1 << 9
    case .device: 1 << 10
    case .service: 1 << 11
    }
  }
}
