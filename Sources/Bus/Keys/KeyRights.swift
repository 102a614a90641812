internal import RPC

/// What the holder of a service's key may do besides calling: which services it may serve, and for whom it may speak.
public struct KeyRights: Hashable, Sendable {
  /// The services that a process with the key may announce.
  public enum Serving: Hashable, Sendable {
    case any
    case only(Set<String>)

    func includes(_ service: String) -> Bool {
      switch self {
      case .any: true
      case .only(let names): names.contains(service)
      }
    }
  }

  /// The callers that a process with the key may name in place of itself.
  public enum Vouching: String, Hashable, Sendable, CaseIterable {
    /// None: it calls as itself, and belongs to no tenant.
    case nobody
    /// Those whose calls it has in hand at the gateway, as long as it has, and only to read: for a process without a
    /// database, which asks others for what its callers may have.
    case callers
    /// Itself, as a service that works in a tenant.
    case tenants
    /// Anybody: for a process that verifies people by itself, such as an edge with accounts.
    case anybody

    func includes(_ caller: CallerIdentity) -> Bool {
      switch self {
      // For `callers`, the router checks which calls the key's sessions have in hand.
      case .nobody, .callers: false
      case .tenants: caller.kind == .service && caller.grants.isEmpty
      case .anybody: true
      }
    }
  }

  public var serving: Serving
  public var vouching: Vouching

  public init(serving: Serving, vouching: Vouching) {
    self.serving = serving
    self.vouching = vouching
  }

  /// The rights of a client's key.
  public static let none = KeyRights(serving: .only([]), vouching: .nobody)
  /// The rights of a process that may enter the installation's private sockets: it is the operator's own.
  public static let all = KeyRights(serving: .any, vouching: .anybody)

  var mayServe: Bool { serving != .only([]) }
}
