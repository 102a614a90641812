/// What the contract says about one method. Generated from proto/; gateway and services enforce from it.
public struct MethodDescriptor: Hashable, Sendable {
  /// How many messages flow in each direction.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case unary
    case clientStreaming
    case serverStreaming
    case bidirectionalStreaming

    public var clientStreams: Bool { self == .clientStreaming || self == .bidirectionalStreaming }
    public var serverStreams: Bool { self == .serverStreaming || self == .bidirectionalStreaming }
  }

  /// Whether a call that may have run can be run again.
  public enum Idempotency: Hashable, Sendable, CaseIterable {
    /// Nothing is promised: only an idempotency key makes a repeat safe.
    case unknown
    /// The method changes nothing.
    case noSideEffects
    /// A repeat leaves what the first call left.
    case idempotent
  }

  /// Who may call, from the least to the most trusted.
  public enum Access: Hashable, Sendable, CaseIterable {
    /// Anyone, without a key.
    case `public`
    /// A device of the tenant.
    case device
    /// A signed-in user.
    case user
    /// An administrator of the tenant.
    case admin
    /// Another service of this installation.
    case service
  }

  /// The full name of the service, such as `assent.signature.v1.SignatureService`.
  public let service: String
  /// The name of the method, such as `Render`.
  public let name: String
  /// The name on the wire: `/assent.signature.v1.SignatureService/Render`.
  public let path: String
  public let kind: Kind
  public let idempotency: Idempotency
  public let access: Access

  public init(service: String, name: String, kind: Kind, idempotency: Idempotency, access: Access) {
    self.service = service
    self.name = name
    self.path = "/\(service)/\(name)"
    self.kind = kind
    self.idempotency = idempotency
    self.access = access
  }
}
