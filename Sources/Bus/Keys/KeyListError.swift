public import RPC

/// What is wrong with a key list, and where.
public struct KeyListError: Error, Equatable, CustomStringConvertible {
  public enum Reason: Error, Equatable, CustomStringConvertible {
    case unknownRole(String)
    case badKey
    case badName(String)
    case badStudyRole(String)
    case unknownAttribute(String)
    case repeatedAttribute(String)
    case missingAttribute(String)
    case unknownKind(String)
    case unknownVouching(String)
    case badService(String)
    case uselessRole(String, CallerKind)
    case operatorOfTenant
    case grantMismatch(KeyEntry.Role)
    case repeatedKey(of: String)
    case repeatedName(String)

    public var description: String {
      switch self {
      case .unknownRole(let role):
        "“\(role)” is no role: use \(Self.list(KeyEntry.Role.allCases.map(\.rawValue)))"
      case .badKey: "the second field must be a public key, 40 digits of Z85"
      case .badName(let name): "“\(name)” is no name: use 1 to 64 letters, digits, dots, dashes and underscores"
      case .badStudyRole(let role): "“\(role)” is no role@study, role@study/site or role@*"
      case .unknownAttribute(let field):
        "“\(field)” is none of name=…, tenant=…, kind=…, roles=…, serves=… and vouches=…"
      case .repeatedAttribute(let name): "\(name) is given twice"
      case .missingAttribute(let name): "\(name)=… is missing"
      case .unknownKind(let kind):
        "“\(kind)” is no kind of client: use \(Self.list(KeyList.kinds.map(\.word)))"
      case .unknownVouching(let word):
        "“\(word)” names nobody to vouch for: use \(Self.list(KeyRights.Vouching.allCases.map(\.rawValue)))"
      case .badService(let name): "“\(name)” is no full name of a service"
      case .uselessRole(let role, let kind):
        kind == .device
          ? "“\(role)” does nothing for a device: it is bound to places by device@…"
          : "“\(role)” is granted to nobody: use \(Self.list(MethodPermission.Role.granted.map(\.rawValue)))"
      case .operatorOfTenant: "an operator is above all tenants and has neither tenant nor roles"
      case .grantMismatch(let role):
        switch role {
        case .client: "a client has tenant, kind and roles, and neither serves nor vouches"
        case .service: "a service has serves and vouches, and neither tenant, kind nor roles"
        case .gateway: "a gateway has a name and nothing else"
        }
      case .repeatedKey(let name): "the key is in the list already, as “\(name)”"
      case .repeatedName(let name): "the name “\(name)” is in the list already"
      }
    }

    private static func list(_ words: [String]) -> String {
      words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
  }

  public let line: Int
  public let reason: Reason

  public var description: String { "line \(line): \(reason)" }
}
