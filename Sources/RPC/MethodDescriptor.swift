/// What the contract says about one method. Generated from proto/; gateway and services enforce it.
public struct MethodDescriptor: Hashable, Sendable {
  /// How many messages flow in each direction.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case unary
    case clientStreaming
    case serverStreaming
    case bidirectionalStreaming

    public var clientStreams: Bool { self == .clientStreaming || self == .bidirectionalStreaming }
    public var serverStreams: Bool { self == .serverStreaming || self == .bidirectionalStreaming }

    /// Whether a call of this kind and with this much time may go without a message for long, so that the loss of its
    /// peer need not be noticed soon: true for streams of answers, and for streams in both directions with ten minutes
    /// or more.
    package func mayBeSilent(over time: Duration) -> Bool {
      self == .serverStreaming || self == .bidirectionalStreaming && time >= .seconds(600)
    }
  }

  /// Whether a call that may have run can be run again.
  public enum Idempotency: Hashable, Sendable, CaseIterable {
    /// Nothing is promised: only an idempotency key makes a repeat safe.
    case unknown
    /// The method changes nothing.
    case noSideEffects
    /// A repeat has the same effect as the first call.
    case idempotent
  }

  // Every call passes its descriptor on several times, so all values are in one object, which is cheap to copy.
  private let facts: Facts

  /// The full name of the service, such as `assent.signature.v1.SignatureService`.
  public var service: String { facts.service }
  /// The name of the method, such as `Render`.
  public var name: String { facts.name }
  /// The name on the wire: `/assent.signature.v1.SignatureService/Render`.
  public var path: String { facts.path }
  public var kind: Kind { facts.kind }
  public var idempotency: Idempotency { facts.idempotency }
  /// Who may call the method: a caller who matches one of these; with an empty list, nobody. The bus tells gateways the
  /// roles alone, so that they can refuse a caller who has none of them.
  public var permissions: [MethodPermission] { facts.permissions }
  /// All roles that occur in a permission, whatever place or relation it requires besides.
  public var roles: RoleSet { facts.roles }

  public init(
    service: String, name: String, kind: Kind, idempotency: Idempotency, permissions: [MethodPermission]
  ) {
    facts = Facts(
      service: service, name: name, path: "/\(service)/\(name)", kind: kind, idempotency: idempotency,
      permissions: permissions)
  }

  public static func == (left: MethodDescriptor, right: MethodDescriptor) -> Bool {
    left.facts === right.facts
      || left.path == right.path && left.kind == right.kind && left.idempotency == right.idempotency
        && left.roles == right.roles
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  private final class Facts: Sendable {
    let service: String
    let name: String
    let path: String
    let kind: Kind
    let idempotency: Idempotency
    let permissions: [MethodPermission]
    let roles: RoleSet

    init(
      service: String, name: String, path: String, kind: Kind, idempotency: Idempotency,
      permissions: [MethodPermission]
    ) {
      self.service = service
      self.name = name
      self.path = path
      self.kind = kind
      self.idempotency = idempotency
      self.permissions = permissions
      roles = RoleSet(permissions.flatMap(\.roles))
    }
  }
}
