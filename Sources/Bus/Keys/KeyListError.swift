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
    case unknownAccess(String)
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
      case .unknownAttribute(let field): "“\(field)” is none of name=…, tenant=…, access=… and roles=…"
      case .repeatedAttribute(let name): "\(name) is given twice"
      case .missingAttribute(let name): "\(name)=… is missing"
      case .unknownAccess(let access):
        "“\(access)” is no access level: use \(Self.list(KeyList.accessNames.map(\.name)))"
      case .grantMismatch(let role):
        role == .client ? "a client needs tenant and access" : "only clients have tenant, access and roles"
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
